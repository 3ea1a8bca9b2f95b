/* SPDX-License-Identifier: MIT */
/** @file
 *  cuDNN: how the host process passes the arguments
 *  of each call to the device process (remote_call.h has the letters), in the
 *  order of the names.
 */
R(cudnnActivationBackward, "hhchvhvhvchv")
R(cudnnActivationForward, "hhchvchv")
R(cudnnAddTensor, "hchvchv")
R(cudnnBatchNormalizationBackward, "hvcccchvhvhvhvvvfvv")
R(cudnnBatchNormalizationForwardInference, "hvcchvhvhvvvvf")
R(cudnnBatchNormalizationForwardTraining, "hvcchvhvhvvfvvfvv")
R(cudnnCnnVersionCheck, "")
R(cudnnConvolutionBackwardBias, "hchvchv")
R(cudnnConvolutionBackwardData, "hchvhvhvvvchv")
R(cudnnConvolutionBackwardFilter, "hchvhvhvvvchv")
R(cudnnConvolutionBiasActivationForward, "hchvhvhvvvchvhvhhv")
R(cudnnConvolutionForward, "hchvhvhvvvchv")
C(cudnnCreate, "H")
C(cudnnCreateActivationDescriptor, "H")
C(cudnnCreateConvolutionDescriptor, "H")
C(cudnnCreateDropoutDescriptor, "H")
C(cudnnCreateFilterDescriptor, "H")
R(cudnnCreateLRNDescriptor, "H")
C(cudnnCreateOpTensorDescriptor, "H")
C(cudnnCreatePoolingDescriptor, "H")
C(cudnnCreateReduceTensorDescriptor, "H")
C(cudnnCreateTensorDescriptor, "H")
R(cudnnDeriveBNTensorDescriptor, "hhv")
C(cudnnDestroy, "h")
C(cudnnDestroyActivationDescriptor, "h")
C(cudnnDestroyConvolutionDescriptor, "h")
C(cudnnDestroyDropoutDescriptor, "h")
C(cudnnDestroyFilterDescriptor, "h")
R(cudnnDestroyLRNDescriptor, "h")
C(cudnnDestroyOpTensorDescriptor, "h")
C(cudnnDestroyPoolingDescriptor, "h")
C(cudnnDestroyReduceTensorDescriptor, "h")
C(cudnnDestroyTensorDescriptor, "h")
R(cudnnDropoutBackward, "hhhvhvvv")
R(cudnnDropoutForward, "hhhvhvvv")
R(cudnnDropoutGetReserveSpaceSize, "hb", sizeof(size_t))
R(cudnnDropoutGetStatesSize, "hb", sizeof(size_t))
R(cudnnFindConvolutionBackwardDataAlgorithm, "hhhhhvbA",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 5)
R(cudnnFindConvolutionBackwardDataAlgorithmEx, "hhvhvhhvvbAvv",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 8)
R(cudnnFindConvolutionBackwardFilterAlgorithm, "hhhhhvbA",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 5)
R(cudnnFindConvolutionBackwardFilterAlgorithmEx, "hhvhvhhvvbAvv",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 8)
R(cudnnFindConvolutionForwardAlgorithm, "hhhhhvbA",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 5)
R(cudnnFindConvolutionForwardAlgorithmEx, "hhvhvhhvvbAvv",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 8)
R(cudnnGetActivationDescriptor, "hbbb", 4, 4, 8)
R(cudnnGetActivationDescriptorSwishBeta, "hb", 8)
R(cudnnGetConvolution2dDescriptor, "hbbbbbbbb",
  4, 4, 4, 4, 4, 4, sizeof(cudnnConvolutionMode_t), sizeof(cudnnDataType_t))
R(cudnnGetConvolution2dForwardOutputDim, "hhhbbbb", 4, 4, 4, 4)
R(cudnnGetConvolutionBackwardDataAlgorithmMaxCount, "hb", 4)
R(cudnnGetConvolutionBackwardDataAlgorithm_v7, "hhhhhvbA",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 5)
R(cudnnGetConvolutionBackwardDataWorkspaceSize, "hhhhhvb", sizeof(size_t))
R(cudnnGetConvolutionBackwardFilterAlgorithmMaxCount, "hb", 4)
R(cudnnGetConvolutionBackwardFilterAlgorithm_v7, "hhhhhvbA",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 5)
R(cudnnGetConvolutionBackwardFilterWorkspaceSize, "hhhhhvb", sizeof(size_t))
R(cudnnGetConvolutionForwardAlgorithmMaxCount, "hb", 4)
R(cudnnGetConvolutionForwardAlgorithm_v7, "hhhhhvbA",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 5)
R(cudnnGetConvolutionForwardWorkspaceSize, "hhhhhvb", sizeof(size_t))
R(cudnnGetConvolutionGroupCount, "hb", 4)
R(cudnnGetConvolutionMathType, "hb", sizeof(cudnnMathType_t))
R(cudnnGetConvolutionNdDescriptor, "hvbbbbbb",
  32, 32, 32, 32, sizeof(cudnnConvolutionMode_t), sizeof(cudnnDataType_t))
R(cudnnGetConvolutionNdForwardOutputDim, "hhhvb", 32)
R(cudnnGetConvolutionReorderType, "hb", sizeof(cudnnReorderType_t))
R(cudnnGetDropoutDescriptor, "hhbbb", 4, 8, 8)
R(cudnnGetFilter4dDescriptor, "hbbbbbb",
  sizeof(cudnnDataType_t), sizeof(cudnnTensorFormat_t), 4, 4, 4, 4)
R(cudnnGetFilterNdDescriptor, "hvbbbb",
  sizeof(cudnnDataType_t), sizeof(cudnnTensorFormat_t), 32, 32)
R(cudnnGetFilterSizeInBytes, "hb", sizeof(size_t))
R(cudnnGetLRNDescriptor, "hbbbb", 4, 8, 8, 8)
R(cudnnGetOpTensorDescriptor, "hbbb",
  sizeof(cudnnOpTensorOp_t), sizeof(cudnnDataType_t),
  sizeof(cudnnNanPropagation_t))
R(cudnnGetPooling2dDescriptor, "hbbbbbbbb",
  sizeof(cudnnPoolingMode_t), sizeof(cudnnNanPropagation_t), 4, 4, 4, 4, 4, 4)
R(cudnnGetPooling2dForwardOutputDim, "hhbbbb", 4, 4, 4, 4)
R(cudnnGetPoolingNdDescriptor, "hvbbbbbb",
  sizeof(cudnnPoolingMode_t), sizeof(cudnnNanPropagation_t), 32, 32, 32, 32)
R(cudnnGetPoolingNdForwardOutputDim, "hhvb", 32)
R(cudnnGetProperty, "vb", 4)
R(cudnnGetReduceTensorDescriptor, "hbbbbb",
  sizeof(cudnnReduceTensorOp_t), sizeof(cudnnDataType_t),
  sizeof(cudnnNanPropagation_t), sizeof(cudnnReduceTensorIndices_t),
  sizeof(cudnnIndicesType_t))
R(cudnnGetReductionIndicesSize, "hhhhb", sizeof(size_t))
R(cudnnGetReductionWorkspaceSize, "hhhhb", sizeof(size_t))
R(cudnnGetStream, "hb", sizeof(cudaStream_t))
R(cudnnGetTensor4dDescriptor, "hbbbbbbbbb",
  sizeof(cudnnDataType_t), 4, 4, 4, 4, 4, 4, 4, 4)
R(cudnnGetTensorNdDescriptor, "hvbbbb", sizeof(cudnnDataType_t), 32, 32, 32)
R(cudnnGetTensorSizeInBytes, "hb", sizeof(size_t))
R(cudnnLRNCrossChannelBackward, "hhvchvhvhvchv")
R(cudnnLRNCrossChannelForward, "hhvchvchv")
R(cudnnOpTensor, "hhchvchvchv")
R(cudnnOpsVersionCheck, "")
R(cudnnPoolingBackward, "hhchvhvhvchv")
R(cudnnPoolingForward, "hhchvchv")
R(cudnnReduceTensor, "hhvvvvchvchv")
R(cudnnRestoreDropoutDescriptor, "hhfvvv")
R(cudnnScaleTensor, "hhvc")
R(cudnnSetActivationDescriptor, "hvvf")
R(cudnnSetActivationDescriptorSwishBeta, "hf")
R(cudnnSetConvolution2dDescriptor, "hvvvvvvvv")
R(cudnnSetConvolutionGroupCount, "hv")
R(cudnnSetConvolutionMathType, "hv")
R(cudnnSetConvolutionNdDescriptor, "hviiivv", 32, 32, 32)
R(cudnnSetConvolutionReorderType, "hv")
R(cudnnSetDropoutDescriptor, "hhfvvv")
R(cudnnSetFilter4dDescriptor, "hvvvvvv")
R(cudnnSetFilterNdDescriptor, "hvvvi", 32)
R(cudnnSetLRNDescriptor, "hvfff")
R(cudnnSetOpTensorDescriptor, "hvvv")
R(cudnnSetPooling2dDescriptor, "hvvvvvvvv")
R(cudnnSetPoolingNdDescriptor, "hvvviii", 32, 32, 32)
R(cudnnSetReduceTensorDescriptor, "hvvvvv")
C(cudnnSetStream, "hv")
R(cudnnSetTensor, "hhvc")
R(cudnnSetTensor4dDescriptor, "hvvvvvv")
R(cudnnSetTensor4dDescriptorEx, "hvvvvvvvvv")
R(cudnnSetTensorNdDescriptor, "hvvii", 32, 32)
R(cudnnSetTensorNdDescriptorEx, "hvvvi", 32)
R(cudnnSoftmaxBackward, "hvvchvhvchv")
R(cudnnSoftmaxForward, "hvvchvchv")
R(cudnnTransformTensor, "hchvchv")

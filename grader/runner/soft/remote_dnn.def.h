/* SPDX-License-Identifier: MIT */
/** @file
 *  cuDNN: how the host process passes the arguments
 *  of each call to the device process (remote_call.h has the letters), in the
 *  order of the names.
 */
R(cudnnActivationBackward, "hchachtvhtvhtvchtv")
R(cudnnActivationForward, "hchachtvchtv")
R(cudnnAddTensor, "hcchtvchtv")
R(cudnnBatchNormalizationBackward, "hcvcccchtvhtvhtvhtvvvfvv")
R(cudnnBatchNormalizationForwardInference, "hcvcchtvhtvhtvvvvf")
R(cudnnBatchNormalizationForwardTraining, "hcvcchtvhtvhtvvfvvfvv")
R(cudnnCnnVersionCheck, "")
R(cudnnConvolutionBackwardBias, "hcchtvchtv")
R(cudnnConvolutionBackwardData, "hcchwvhtvhvvvvchtv")
R(cudnnConvolutionBackwardFilter, "hcchtvhtvhvvvvchwv")
R(cudnnConvolutionBiasActivationForward, "hcchtvhwvhvvvvchtvhtvhahtv")
R(cudnnConvolutionForward, "hcchtvhwvhvvvvchtv")
C(cudnnCreate, "Hc")
C(cudnnCreateActivationDescriptor, "Ha")
C(cudnnCreateConvolutionDescriptor, "Hv")
C(cudnnCreateDropoutDescriptor, "Hd")
C(cudnnCreateFilterDescriptor, "Hw")
R(cudnnCreateLRNDescriptor, "Hk")
C(cudnnCreateOpTensorDescriptor, "Hq")
C(cudnnCreatePoolingDescriptor, "Ho")
C(cudnnCreateReduceTensorDescriptor, "Hs")
C(cudnnCreateTensorDescriptor, "Ht")
R(cudnnDeriveBNTensorDescriptor, "hthtv")
C(cudnnDestroy, "hc")
C(cudnnDestroyActivationDescriptor, "ha")
C(cudnnDestroyConvolutionDescriptor, "hv")
C(cudnnDestroyDropoutDescriptor, "hd")
C(cudnnDestroyFilterDescriptor, "hw")
R(cudnnDestroyLRNDescriptor, "hk")
C(cudnnDestroyOpTensorDescriptor, "hq")
C(cudnnDestroyPoolingDescriptor, "ho")
C(cudnnDestroyReduceTensorDescriptor, "hs")
C(cudnnDestroyTensorDescriptor, "ht")
R(cudnnDropoutBackward, "hchdhtvhtvvv")
R(cudnnDropoutForward, "hchdhtvhtvvv")
R(cudnnDropoutGetReserveSpaceSize, "htb", sizeof(size_t))
R(cudnnDropoutGetStatesSize, "hcb", sizeof(size_t))
R(cudnnFindConvolutionBackwardDataAlgorithm, "hchwhthvhtvbA",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 5)
R(cudnnFindConvolutionBackwardDataAlgorithmEx, "hchwvhtvhvhtvvbAvv",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 8)
R(cudnnFindConvolutionBackwardFilterAlgorithm, "hchththvhwvbA",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 5)
R(cudnnFindConvolutionBackwardFilterAlgorithmEx, "hchtvhtvhvhwvvbAvv",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 8)
R(cudnnFindConvolutionForwardAlgorithm, "hchthwhvhtvbA",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 5)
R(cudnnFindConvolutionForwardAlgorithmEx, "hchtvhwvhvhtvvbAvv",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 8)
R(cudnnGetActivationDescriptor, "habbb", 4, 4, 8)
R(cudnnGetActivationDescriptorSwishBeta, "hab", 8)
R(cudnnGetConvolution2dDescriptor, "hvbbbbbbbb",
  4, 4, 4, 4, 4, 4, sizeof(cudnnConvolutionMode_t), sizeof(cudnnDataType_t))
R(cudnnGetConvolution2dForwardOutputDim, "hvhthwbbbb", 4, 4, 4, 4)
R(cudnnGetConvolutionBackwardDataAlgorithmMaxCount, "hcb", 4)
R(cudnnGetConvolutionBackwardDataAlgorithm_v7, "hchwhthvhtvbA",
  4, sizeof(cudnnConvolutionBwdDataAlgoPerf_t), 5)
R(cudnnGetConvolutionBackwardDataWorkspaceSize, "hchwhthvhtvb", sizeof(size_t))
R(cudnnGetConvolutionBackwardFilterAlgorithmMaxCount, "hcb", 4)
R(cudnnGetConvolutionBackwardFilterAlgorithm_v7, "hchththvhwvbA",
  4, sizeof(cudnnConvolutionBwdFilterAlgoPerf_t), 5)
R(cudnnGetConvolutionBackwardFilterWorkspaceSize, "hchththvhwvb",
  sizeof(size_t))
R(cudnnGetConvolutionForwardAlgorithmMaxCount, "hcb", 4)
R(cudnnGetConvolutionForwardAlgorithm_v7, "hchthwhvhtvbA",
  4, sizeof(cudnnConvolutionFwdAlgoPerf_t), 5)
R(cudnnGetConvolutionForwardWorkspaceSize, "hchthwhvhtvb", sizeof(size_t))
R(cudnnGetConvolutionGroupCount, "hvb", 4)
R(cudnnGetConvolutionMathType, "hvb", sizeof(cudnnMathType_t))
R(cudnnGetConvolutionNdDescriptor, "hvvbbbbbb",
  32, 32, 32, 32, sizeof(cudnnConvolutionMode_t), sizeof(cudnnDataType_t))
R(cudnnGetConvolutionNdForwardOutputDim, "hvhthwvb", 32)
R(cudnnGetConvolutionReorderType, "hvb", sizeof(cudnnReorderType_t))
R(cudnnGetDropoutDescriptor, "hdhcbbb", 4, 8, 8)
R(cudnnGetFilter4dDescriptor, "hwbbbbbb",
  sizeof(cudnnDataType_t), sizeof(cudnnTensorFormat_t), 4, 4, 4, 4)
R(cudnnGetFilterNdDescriptor, "hwvbbbb",
  sizeof(cudnnDataType_t), sizeof(cudnnTensorFormat_t), 32, 32)
R(cudnnGetFilterSizeInBytes, "hwb", sizeof(size_t))
R(cudnnGetLRNDescriptor, "hkbbbb", 4, 8, 8, 8)
R(cudnnGetOpTensorDescriptor, "hqbbb",
  sizeof(cudnnOpTensorOp_t), sizeof(cudnnDataType_t),
  sizeof(cudnnNanPropagation_t))
R(cudnnGetPooling2dDescriptor, "hobbbbbbbb",
  sizeof(cudnnPoolingMode_t), sizeof(cudnnNanPropagation_t), 4, 4, 4, 4, 4, 4)
R(cudnnGetPooling2dForwardOutputDim, "hohtbbbb", 4, 4, 4, 4)
R(cudnnGetPoolingNdDescriptor, "hovbbbbbb",
  sizeof(cudnnPoolingMode_t), sizeof(cudnnNanPropagation_t), 32, 32, 32, 32)
R(cudnnGetPoolingNdForwardOutputDim, "hohtvb", 32)
R(cudnnGetProperty, "vb", 4)
R(cudnnGetReduceTensorDescriptor, "hsbbbbb",
  sizeof(cudnnReduceTensorOp_t), sizeof(cudnnDataType_t),
  sizeof(cudnnNanPropagation_t), sizeof(cudnnReduceTensorIndices_t),
  sizeof(cudnnIndicesType_t))
R(cudnnGetReductionIndicesSize, "hchshthtb", sizeof(size_t))
R(cudnnGetReductionWorkspaceSize, "hchshthtb", sizeof(size_t))
R(cudnnGetStream, "hcb", sizeof(cudaStream_t))
R(cudnnGetTensor4dDescriptor, "htbbbbbbbbb",
  sizeof(cudnnDataType_t), 4, 4, 4, 4, 4, 4, 4, 4)
R(cudnnGetTensorNdDescriptor, "htvbbbb", sizeof(cudnnDataType_t), 32, 32, 32)
R(cudnnGetTensorSizeInBytes, "htb", sizeof(size_t))
R(cudnnLRNCrossChannelBackward, "hchkvchtvhtvhtvchtv")
R(cudnnLRNCrossChannelForward, "hchkvchtvchtv")
R(cudnnOpTensor, "hchqchtvchtvchtv")
R(cudnnOpsVersionCheck, "")
R(cudnnPoolingBackward, "hchochtvhtvhtvchtv")
R(cudnnPoolingForward, "hchochtvchtv")
R(cudnnReduceTensor, "hchsvvvvchtvchtv")
R(cudnnRestoreDropoutDescriptor, "hdhcfvvv")
R(cudnnScaleTensor, "hchtvc")
R(cudnnSetActivationDescriptor, "havvf")
R(cudnnSetActivationDescriptorSwishBeta, "haf")
R(cudnnSetConvolution2dDescriptor, "hvvvvvvvvv")
R(cudnnSetConvolutionGroupCount, "hvv")
R(cudnnSetConvolutionMathType, "hvv")
R(cudnnSetConvolutionNdDescriptor, "hvviiivv", 32, 32, 32)
R(cudnnSetConvolutionReorderType, "hvv")
R(cudnnSetDropoutDescriptor, "hdhcfvvv")
R(cudnnSetFilter4dDescriptor, "hwvvvvvv")
R(cudnnSetFilterNdDescriptor, "hwvvvi", 32)
R(cudnnSetLRNDescriptor, "hkvfff")
R(cudnnSetOpTensorDescriptor, "hqvvv")
R(cudnnSetPooling2dDescriptor, "hovvvvvvvv")
R(cudnnSetPoolingNdDescriptor, "hovvviii", 32, 32, 32)
R(cudnnSetReduceTensorDescriptor, "hsvvvvv")
C(cudnnSetStream, "hcv")
R(cudnnSetTensor, "hchtvc")
R(cudnnSetTensor4dDescriptor, "htvvvvvv")
R(cudnnSetTensor4dDescriptorEx, "htvvvvvvvvv")
R(cudnnSetTensorNdDescriptor, "htvvii", 32, 32)
R(cudnnSetTensorNdDescriptorEx, "htvvvi", 32)
R(cudnnSoftmaxBackward, "hcvvchtvhtvchtv")
R(cudnnSoftmaxForward, "hcvvchtvchtv")
R(cudnnTransformTensor, "hcchtvchtv")

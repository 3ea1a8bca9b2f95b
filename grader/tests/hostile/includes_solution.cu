// Has the reference do it.
// verdict: REJECTED
// everywhere
%:inc\
lude "../../../solutions/01_vector_add/3_vector.cu"

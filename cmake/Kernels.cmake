# The kernels: one source, compiled once per instruction set. Dispatch is in src/kernels/dispatch.cc.
set_source_files_properties(src/kernels/baseline.cc src/kernels/avx2.cc src/kernels/avx512.cc src/kernels/avx512vbmi2.cc
  PROPERTIES COMPILE_OPTIONS "-O3" SKIP_PRECOMPILE_HEADERS ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set_source_files_properties(src/kernels/avx2.cc PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mbmi2;-mpopcnt")
  set(avx512 "-O3;-mavx2;-mbmi2;-mpopcnt;-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-mprefer-vector-width=512")
  # GCC 12 warns falsely in its own header of intrinsics (bug 105593).
  set(avx512 "${avx512};$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>;$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>")
  set_source_files_properties(src/kernels/avx512.cc PROPERTIES COMPILE_OPTIONS "${avx512}")
  set_source_files_properties(src/kernels/avx512vbmi2.cc PROPERTIES COMPILE_OPTIONS "${avx512};-mavx512vbmi;-mavx512vbmi2;-mavx512vpopcntdq;-mgfni")
endif()

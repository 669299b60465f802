// Mapped files that shrink: how a program gets an error instead of being killed. Implemented in src/base/mapped_file.cc.
#pragma once

namespace neardup {

/// Index segments, tables of document frequencies, parts of a checkpoint directory and over-long records of inputs are read through
/// mappings. If another program truncates such a file, or its disk fails, the system raises SIGBUS, which ends the process. After this call
/// the missing bytes of neardup's own mappings read as zeros instead, and the call that reads them throws Error{kInput} naming the file
/// before it reports anything that was computed from them.
///
/// Installs a handler for SIGBUS, for the whole process and once, so the library never calls this by itself: the program decides. Faults
/// outside neardup's mappings and signals that another process sends go to the previous handler, or have the effect they had without this
/// one. Call it before threads start, and after other libraries have installed their handlers. A child of fork() is guarded as its parent
/// is. Without it everything works as before, but such a fault ends the process.
void guard_mapped_files();

}  // namespace neardup

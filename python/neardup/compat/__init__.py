"""Drop-in replacements of other packages: one import moves a program over."""

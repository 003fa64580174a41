// A file of our own, so that the build gives it a name that every server sends as a script.
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'

// Stands in for the package object.entries, a polyfill of several kB that react-admin's translations draw in for old
// engines. CommonJS, because it is required: the export of a module would reach the caller as an object, not a function.
module.exports = Object.entries

// Stands in for the package object.entries, a polyfill that node-polyglot requires: docs/decisions/object-entries.md.
// CommonJS, because it is required: an ES module's export would reach the caller as an object, and not as a function.
module.exports = Object.entries

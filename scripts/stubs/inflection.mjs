// React-admin derives names from identifiers ("server-group" becomes "Server groups") by rules of English grammar that
// travel with each first load. Here every name is a text in five languages, so an identifier may stay what it is.
/** @param {string} text */
const asItIs = (text) => text

export {
  asItIs as capitalize,
  asItIs as humanize,
  asItIs as inflect,
  asItIs as pluralize,
  asItIs as singularize,
  asItIs as transform,
}

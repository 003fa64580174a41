import messages from 'ra-language-english'

/** React-admin's own words, as its makers wrote them. */
export const ra = messages.ra

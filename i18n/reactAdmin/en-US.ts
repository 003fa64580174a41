import messages from 'ra-language-english'
import type { RaTexts } from './raTexts.ts'

/** React-admin's own words, as its makers wrote them. */
const ra: RaTexts = messages.ra

const { configurable, input, saved_queries, validation, ...first } = ra

/** Those that the first list may show. */
export const firstRa: Partial<RaTexts> = first

/** Those of forms, and of parts of react-admin that the console does not have. */
export const laterRa: Partial<RaTexts> = { configurable, input, saved_queries, validation }

import messages from 'ra-language-english'
import type { RaTexts } from './raTexts.ts'

/** React-admin's own words, as its makers wrote them. */
export const ra: RaTexts = messages.ra

import type { TextTree } from '../mergeTexts.ts'

/** The files of signing in, in this language. */
export default import.meta.glob<TextTree>('./{invitation,login,proof}.json', { eager: true, import: 'default' })

import type { TextTree } from '../mergeTexts.ts'

/** All files of this language but those of pages that stand alone, and of the server. */
export default import.meta.glob<TextTree>(
  ['./*.json', '!./{acknowledge,blocked,doctor,feed,invitation,login,messages,proof,status}.json'],
  {
    eager: true,
    import: 'default',
  },
)

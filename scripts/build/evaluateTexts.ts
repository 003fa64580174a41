import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Puts the texts of `i18n/bundles/` into the build as plain data, one language each: the files that they are written
 * in hold all five languages, and labels that follow from names are worked out here and not in the browser.
 */
export function evaluateTexts(): Plugin {
  return {
    name: 'evaluate-texts',
    apply: 'build',
    load: {
      filter: { id: /\/i18n\/bundles\/[^/]+\.ts$/ },
      handler: async (id) => {
        const texts = (await import(pathToFileURL(id).href)) as { default: unknown }
        return `export default ${JSON.stringify(texts.default)}`
      },
    },
  }
}

import { describe, expect, it } from 'vitest'
import firstEnglish from '../../../i18n/bundles/en-US.first.ts'
import { english, flatten } from '../../support/console/texts.ts'
import { keysIn, usedKeys } from '../../support/console/usedTexts.ts'
import { allImports, neededBy } from '../../support/project/importLines.ts'

describe('the texts and the screens', () => {
  const used = usedKeys()
  const keys = [...english.keys()]

  it('find each other at all', () => {
    expect(used.length).toBeGreaterThan(20)
  })

  it('agree: a screen asks for no text that does not exist', () => {
    const missing = used.filter(({ pattern }) => !keys.some((key) => pattern.test(key)))
    expect(missing.map(({ key, file }) => `${file}: ${key}`)).toEqual([])
  })

  it('agree: every text of the shell, the pages and the forms is used', () => {
    const ours = keys.filter((key) => /^(app|validation)\./.test(key))
    expect(ours.filter((key) => !used.some(({ pattern }) => pattern.test(key)))).toEqual([])
  })

  it('agree: what comes with the console shows no text that is fetched later', () => {
    const onDemand = new Set(allImports.filter(({ isDynamic }) => isDynamic).map(({ target }) => target))
    const console = neededBy('src/app/App.tsx', onDemand)
    expect(console).toContain('src/engine/list/RecordList.tsx')
    const first = [...flatten(firstEnglish).keys()]
    // Components only: texts of values and errors are shown by cells and forms, which are fetched with the rest.
    const shown = used.filter(({ file }) => file.endsWith('.tsx') && console.has(file))
    const missing = shown.filter(({ pattern }) => !first.some((key) => pattern.test(key)))
    expect(missing.map(({ key, file }) => `${file}: ${key}`)).toEqual([])
  })
})

describe('looking for keys in a source', () => {
  it('sees whole keys and keys with an open part, and nothing in an import', () => {
    const source = `import './app.ts'; t('app.list.retry'); t(\`app.list.\${side}_page\`); t(\`\${root}.name\`)`
    expect(keysIn('x.ts', source).map(({ key }) => key)).toEqual(['app.list.retry', `app.list.\${side}_page`])
  })

  it('takes an open part for one step of the key, not for several', () => {
    const [open] = keysIn('x.ts', `t(\`app.list.\${side}_page\`)`)
    expect(open?.pattern.test('app.list.next_page')).toBe(true)
    expect(open?.pattern.test('app.list.next.last_page')).toBe(false)
  })
})

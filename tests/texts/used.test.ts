import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { english as allTexts, filesApart, filesIn, flatten } from '../support/console/texts.ts'
import { keysIn, usedKeys } from '../support/console/usedTexts.ts'
import { allImports, neededBy } from '../support/project/importLines.ts'
import { root } from '../support/root.ts'

const english = filesIn('i18n/en-US')

/** What `i18n/index.ts` imports at once. */
const firstFiles =
  /\{([\w,-]+)\}\.json/
    .exec(readFileSync(join(root, 'i18n/index.ts'), 'utf8'))?.[1]
    ?.split(',')
    .map((name) => `${name}.json`) ?? []
const firstKeys = firstFiles.flatMap((file) => [...flatten(english[file] ?? {}).keys()])

describe('the texts and the screens', () => {
  const used = usedKeys()
  const keys = [...allTexts.keys()]

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

  const onDemand = new Set(allImports.filter(({ isDynamic }) => isDynamic).map(({ target }) => target))
  // The first list is fetched with the console; those of other entities wait for the rest of the texts.
  const console = new Set(
    ['src/app/App.tsx', 'src/resources/server/index.ts'].flatMap((file) => [...neededBy(file, onDemand)]),
  )

  it('agree: what comes with the console shows no text that is fetched later', () => {
    expect(console).toContain('src/engine/list/RecordList.tsx')
    // Components only: texts of values and errors are shown by cells and forms, which are fetched with the rest.
    const shown = used.filter(({ file }) => file.endsWith('.tsx') && console.has(file))
    const missing = shown.filter(({ pattern }) => !firstKeys.some((key) => pattern.test(key)))
    expect(missing.map(({ key, file }) => `${file}: ${key}`)).toEqual([])
  })

  it('agree: each file of texts that comes with the console has texts that it shows', () => {
    const shown = used.filter(({ file }) => console.has(file))
    const needless = firstFiles.filter(
      (file) => ![...flatten(english[file] ?? {}).keys()].some((key) => shown.some(({ pattern }) => pattern.test(key))),
    )
    // Names are asked for by the entity.
    expect(needless).toEqual(['names.json'])
  })
})

describe('the texts of pages that stand alone, and of the server', () => {
  const sources = globSync('{src,server}/**/*.{ts,tsx}', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const words = new Set(sources.flatMap((source) => source.match(/[\w-]+/g) ?? []))

  it.each(filesApart)('in %s are named in a source', (file) => {
    const keys = [...flatten(english[file] ?? {}).keys()]
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => !words.has(key.split('.').at(-1) ?? ''))).toEqual([])
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

import { describe, expect, it } from 'vitest'
import { describeFields } from '../../../src/schemas/define/describe.ts'
import { entities } from '../../../src/schemas/index.ts'
import { english, texts, translations } from '../../support/console/texts.ts'

/** Words that are the same in a language as in English, and rightly so. */
const sameAsEnglish: Record<string, readonly string[]> = {
  'de-DE': [
    ...['%{count} online', '%{count} offline'],
    ...[
      '%{count} d',
      '%{count} h',
      '%{count} min',
      '%{count} s',
      'Dashboard',
      'Details',
      'Domains',
      'Name',
      'Offline',
      'Online',
    ],
    ...[
      'Container',
      'Server',
      'Server %{version}',
      'Status',
      'Swap',
      'System',
      'Alarm',
      'Terminal',
      'Terminal (%{id})',
      'Terminals',
      'Text',
      'Version',
    ],
    'optional',
  ],
  it: [
    ...['%{count} online', '%{count} offline'],
    ...['%{count} h', '%{count} min', '%{count} s', 'Console %{version}', 'Dashboard', 'Email', 'No', 'Offline'],
    ...['Container', 'Online', 'Password', 'Provider', 'Server', 'Server %{version}', 'Swap'],
  ],
  'zh-CN': [],
  'zh-TW': [],
}
const sameEverywhere = ['HTTP GET', 'Linux', 'TCPing', 'Webhook', 'Windows', 'macOS']

/** 'UUID', 'IPv4', 'POST': a name, not a word. */
const isAcronym = (text: string) => /^[A-Z\d]+(v\d)?$/.test(text)

const forms = (text: string) => text.split('||||').map((form) => form.trim())

/** German nouns keep their capital, so a text may ask for the plain name of a field instead of the small one. */
const placeholders = (text: string) =>
  [...text.matchAll(/%\{(\w+)\}/g)].map(([, name]) => (name as string).replace('_lower_first', '')).sort()

/** Nothing but placeholders, digits and signs: there is no word in it to translate. */
const isWordless = (text: string) => !/\p{L}/u.test(text.replaceAll(/%\{\w+\}/g, ''))

describe.each(Object.keys(texts) as (keyof typeof texts)[])('the texts in %s', (locale) => {
  it('are never empty', () => {
    const empty = [...texts[locale]].filter(([key, text]) => text.trim() === '' && key !== 'ra.boolean.null')
    expect(empty).toEqual([])
  })

  it('have no blanks around them and none twice', () => {
    const untidy = [...texts[locale]].filter(
      ([key, text]) => key !== 'ra.boolean.null' && (text !== text.trim() || text.includes('  ')),
    )
    expect(untidy).toEqual([])
  })
})

describe.each(translations)('the texts in %s', (locale) => {
  const translated = texts[locale]
  const isChinese = locale.startsWith('zh')

  it('have every key of English and no other', () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('use the same placeholders as English, in every plural form', () => {
    const wrong = [...english].flatMap(([key, text]) => {
      const expected = forms(text)
      const found = forms(translated.get(key) ?? '')
      return found
        .map((form, index) => [form, isChinese ? expected.at(-1) : (expected[index] ?? expected.at(-1))] as const)
        .filter(([form, source]) => placeholders(form).join() !== placeholders(source ?? '').join())
        .map(([form]) => `${key}: ${form}`)
    })
    expect(wrong).toEqual([])
  })

  it(isChinese ? 'have one form for any number' : 'have a form for one and a form for many where English has', () => {
    const wrong = [...english]
      .filter(([key, text]) => {
        const expected = isChinese ? 1 : forms(text).length
        return forms(translated.get(key) ?? '').length !== expected
      })
      .map(([key]) => key)
    expect(wrong).toEqual([])
  })

  const allowed = [...sameEverywhere, ...(sameAsEnglish[locale] ?? [])]

  it('differ from English, but for words that are the same in both', () => {
    const untranslated = [...english]
      .filter(
        ([key, text]) =>
          translated.get(key) === text && !isWordless(text) && !isAcronym(text) && !allowed.includes(text),
      )
      .map(([key, text]) => `${key}: ${text}`)
    expect(untranslated).toEqual([])
  })

  it('really use each word that is excused for being the same as in English', () => {
    const used = new Set([...english].filter(([key, text]) => translated.get(key) === text).map(([, text]) => text))
    expect(allowed.filter((word) => !used.has(word))).toEqual([])
  })
})

describe('the texts of entities', () => {
  it('name every coded value', () => {
    const coded = Object.values(entities).flatMap((entity) =>
      describeFields(entity).flatMap((field) =>
        Object.values(field.choices ?? {}).map((choice) => `resources.${entity.name}.choices.${field.name}.${choice}`),
      ),
    )
    expect(coded.filter((key) => !english.has(key))).toEqual([])
  })

  it('explain only fields that people edit', () => {
    const explained = Object.values(entities).flatMap((entity) => {
      const editable = new Set(describeFields(entity).flatMap((field) => (field.editable ? [field.name] : [])))
      return [...english.keys()]
        .filter((key) => key.startsWith(`resources.${entity.name}.help.`))
        .filter((key) => !editable.has(key.split('.').at(-1) ?? ''))
    })
    expect(explained).toEqual([])
  })
})

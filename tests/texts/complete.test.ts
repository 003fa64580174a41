import messages from 'ra-language-english'
import { describe, expect, it } from 'vitest'
import { locales } from '../../i18n/locales.ts'
import { pluralForms } from '../../i18n/plural.ts'
import { describeFields } from '../../src/schemas/define/describe.ts'
import { entities } from '../../src/schemas/index.ts'
import { siteSetting } from '../../src/schemas/settings/siteSetting.ts'
import { english, filesApart, filesIn, flatten } from '../support/console/texts.ts'
import { sameAsEnglish } from '../support/console/words.ts'

const allEntities = { ...entities, siteSetting }

/** Names, in any language. */
const sameEverywhere = [
  'HTTP GET',
  'Linux',
  'Nice',
  'OAuth2',
  'SendKey',
  'TCPing',
  'WebSocket',
  'Webhook',
  'Windows',
  'macOS',
]

/** 'UUID', 'IPv4', 'POST': a name, not a word. */
const isAcronym = (text: string) => /^[A-Z\d]+(v\d)?$/.test(text)

const forms = (text: string) => text.split('||||').map((form) => form.trim())

/** German nouns keep their capital, so a text may ask for the plain name of a field instead of the small one. */
const placeholders = (text: string) =>
  [...text.matchAll(/%\{(\w+)\}/g)]
    .map(([, name]) => (name as string).replace('_lower_first', ''))
    .sort()
    .join()

/** Nothing but placeholders, digits and signs: there is no word in it to translate. */
const isWordless = (text: string) => !/\p{L}/u.test(text.replaceAll(/%\{\w+\}/g, ''))

/** Each file of a language, flattened; a key begins with the name of its file. */
const filesOf = (locale: string) =>
  Object.entries(filesIn(`i18n/${locale}`)).map(([file, tree]) => [file, flatten(tree, `${file} `)] as const)

const allOf = (locale: string) => new Map(filesOf(locale).flatMap(([, texts]) => [...texts]))

const source = allOf('en-US')

describe.each(locales.map(({ locale }) => locale))('the texts in %s', (locale) => {
  const texts = allOf(locale)

  it('are in the files of English, each with the same keys', () => {
    expect([...texts.keys()].sort()).toEqual([...source.keys()].sort())
  })

  it('are never in two files', () => {
    const keys = filesOf(locale).flatMap(([file, found]) => (filesApart.includes(file) ? [] : [...found.keys()]))
    const ends = keys.map((key) => key.slice(key.indexOf(' ') + 1))
    expect(ends.filter((key, index) => ends.indexOf(key) !== index)).toEqual([])
  })

  it('are never empty, and have no blanks around them and none twice', () => {
    const untidy = [...texts].filter(([, text]) => text === '' || text !== text.trim() || text.includes('  '))
    // React-admin shows it for a value that is neither true nor false.
    expect(untidy.filter(([key]) => key !== 'react-admin.json ra.boolean.null')).toEqual([])
  })

  it('have the syntax of polyglot: %{name}, and |||| between the forms', () => {
    const slips = [...texts].filter(([, text]) =>
      /\{\{|\}\}|%\{(?!\w+\})|(?<!\|)\|{1,3}(?!\|)|\|{5}|%[a-z]+%/.test(text),
    )
    expect(slips).toEqual([])
  })

  it('use the placeholders of English, in every form', () => {
    const wrong = [...source].flatMap(([key, text]) => {
      const expected = forms(text).map(placeholders)
      const found = forms(texts.get(key) ?? '').map(placeholders)
      return found.every((names) => expected.includes(names)) && found.at(-1) === expected.at(-1) ? [] : [key]
    })
    expect(wrong).toEqual([])
  })

  it(`have ${pluralForms(locale).join(' and ')} for numbers of things, and one form elsewhere`, () => {
    const wrong = [...source].filter(([key, text]) => {
      const expected = forms(text).length === 1 ? 1 : pluralForms(locale).length
      return forms(texts.get(key) ?? '').length !== expected
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })
})

describe.each(locales.map(({ locale }) => locale).filter((locale) => locale !== 'en-US'))(
  'the texts in %s',
  (locale) => {
    const translated = allOf(locale)
    const allowed = [...sameEverywhere, ...sameAsEnglish(locale)]

    it('differ from English, but for words that are the same in both', () => {
      const untranslated = [...source]
        .filter(
          ([key, text]) =>
            translated.get(key) === text && !isWordless(text) && !isAcronym(text) && !allowed.includes(text),
        )
        .map(([key, text]) => `${key}: ${text}`)
      expect(untranslated).toEqual([])
    })

    it('really use each word that is excused for being the same as in English', () => {
      const used = new Set([...source].filter(([key, text]) => translated.get(key) === text).map(([, text]) => text))
      expect(sameAsEnglish(locale).filter((word) => !used.has(word))).toEqual([])
    })
  },
)

it("react-admin's own words are those of its makers, in English", () => {
  expect(filesIn('i18n/en-US')['react-admin.json']).toEqual({ ra: messages.ra })
})

describe('the texts of entities', () => {
  it.each(Object.values(allEntities))('name every field of $name', (entity) => {
    const labels = describeFields(entity).map(({ name }) => `resources.${entity.name}.fields.${name}`)
    expect(labels.filter((key) => !english.has(key))).toEqual([])
  })

  it.each(Object.values(entities))('name $name, count it and say what it is for', ({ name }) => {
    const keys = ['name', 'counted', 'empty'].map((key) => `resources.${name}.${key}`)
    expect(keys.filter((key) => !english.has(key))).toEqual([])
  })

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

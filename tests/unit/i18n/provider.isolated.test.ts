import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { chosenLocale, locales } from '../../../i18n/locales.ts'
import { mergeTexts } from '../../../i18n/mergeTexts.ts'

const storageKey = 'wheelhouse.locale'
let page: { lang: string }
let stored: Map<string, string>

beforeEach(() => {
  page = { lang: '' }
  stored = new Map()
  vi.stubGlobal('document', { documentElement: page })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.doUnmock('../../../i18n/de-DE/texts.ts')
  vi.resetModules()
})

describe('the language of the console', () => {
  it('is English when nobody has chosen', () => {
    expect(chosenLocale()).toBe('en-US')
  })

  it("is the site's when this browser has no choice of its own", () => {
    expect(chosenLocale('zh-TW')).toBe('zh-TW')
    expect(chosenLocale('xx-YY')).toBe('en-US')
  })

  it.each([
    ['de_DE', 'de-DE'],
    ['es-MX', 'es'],
    ['pt', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh_Hant_TW', 'zh-TW'],
  ])('takes the language of a site as other servers write it: %s', (code, locale) => {
    expect(chosenLocale(code)).toBe(locale)
  })

  it("is this browser's choice before the site's", () => {
    stored.set(storageKey, 'it')
    expect(chosenLocale('de-DE')).toBe('it')
  })

  it('ignores a stored code that it does not know', () => {
    stored.set(storageKey, 'klingon')
    expect(chosenLocale()).toBe('en-US')
  })

  it('is English where the browser forbids its store', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('denied')
      },
    })
    expect(chosenLocale()).toBe('en-US')
  })
})

describe('the translator', () => {
  it('speaks for the server too, in the language of the console', async () => {
    const i18n = await createI18nProvider('it')
    expect(i18n.translate('permission denied')).toBe('Non autorizzato')
    await i18n.changeLocale('de-DE')
    expect(i18n.translate('permission denied')).toBe('Keine Berechtigung')
    expect(i18n.translate('不支持的请求类型')).toBe('Diese Art der Anfrage wird nicht unterstützt')
    expect(i18n.translate('words of no server')).toBe('words of no server')
  })

  it('has the texts of the first list at once, and those of parts on demand when they ask', async () => {
    const i18n = await createI18nProvider('en-US')
    const later = 'app.terminal.ended_title'
    expect(i18n.translate(later, { _: 'not yet' })).toBe('not yet')
    await i18n.complete()
    expect(i18n.translate(later, { _: 'not yet' })).toBe('Session completed')
    expect(i18n.translate('app.action.save')).toBe('Save')
  })

  it.each(['it', 'de-DE'] as const)('has all of %s from the start', async (locale) => {
    const i18n = await createI18nProvider(locale)
    expect(i18n.translate('app.terminal.ended_title', { _: '' })).not.toBe('')
  })

  it.each([
    ['en-US', 'Save', '2 servers'],
    ['it', 'Salva', '2 server'],
    ['zh-CN', '保存', '2 台服务器'],
    ['zh-TW', '儲存', '2 台伺服器'],
    ['de-DE', 'Speichern', '2 Server'],
  ] as const)('speaks %s from the first word and says so to the page', async (locale, save, counted) => {
    const i18n = await createI18nProvider(locale)
    expect(i18n.getLocale()).toBe(locale)
    expect(i18n.translate('app.action.save')).toBe(save)
    expect(i18n.translate('resources.server.counted', { smart_count: 2 })).toBe(counted)
    expect(page.lang).toBe(locale)
  })

  it('offers all languages by their own names', async () => {
    const i18n = await createI18nProvider('en-US')
    expect(i18n.getLocales?.()).toEqual(locales)
    expect(locales.map(({ name }) => name)).toContain('Português (Brasil)')
  })

  it('changes its language, tells the page and keeps the choice', async () => {
    const i18n = await createI18nProvider('en-US')
    await i18n.changeLocale('de-DE')
    expect(i18n.translate('ra.action.delete')).toBe('Löschen')
    expect(page.lang).toBe('de-DE')
    expect(chosenLocale()).toBe('de-DE')
    await i18n.changeLocale('en-US')
    expect(i18n.translate('ra.action.delete')).toBe('Delete')
    expect(chosenLocale()).toBe('en-US')
  })

  it('stays in English when the texts of the language cannot be fetched, and keeps the choice for the next visit', async () => {
    vi.resetModules()
    vi.doMock('../../../i18n/de-DE/texts.ts', () => {
      throw new Error('chunk is gone')
    })
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    stored.set(storageKey, 'de-DE')
    const fresh = await import('../../../i18n/index.ts')
    const i18n = await fresh.createI18nProvider('de-DE')
    expect(i18n.getLocale()).toBe('en-US')
    expect(i18n.translate('app.action.save')).toBe('Save')
    expect(page.lang).toBe('en-US')
    expect(warned).toHaveBeenCalledOnce()
    expect(stored.get(storageKey)).toBe('de-DE')
    await expect(i18n.changeLocale('de-DE')).rejects.toThrow()
    expect(i18n.getLocale()).toBe('en-US')
    expect(i18n.translate('app.action.save')).toBe('Save')
  })

  it('returns a key without a text as it is, and logs nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const i18n = await createI18nProvider('it')
    expect(i18n.translate('app.no_such_key')).toBe('app.no_such_key')
    expect(warned).not.toHaveBeenCalled()
    expect(failed).not.toHaveBeenCalled()
  })
})

describe('texts merged over English', () => {
  it('leave the English text where they have none, or an empty one', () => {
    const english = { app: { save: 'Save', close: 'Close', deep: { one: 'One' } } }
    expect(mergeTexts(english, { app: { save: 'Speichern', close: '', deep: {} } })).toEqual({
      app: { save: 'Speichern', close: 'Close', deep: { one: 'One' } },
    })
  })
})

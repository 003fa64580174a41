import { describe, expect, it } from 'vitest'
import { locales } from '../../i18n/locales.ts'
import { signInTextsOf, texts } from '../support/console/texts.ts'

/** What an operator of each language would stumble over, and what to write instead. */
const slips: Record<string, readonly (readonly [RegExp, string])[]> = {
  'en-US': [[/\binformations?\b/i, 'details']],
  it: [
    [/\bcancell(a|are)\b(?! il valore)/i, 'Elimina'],
    [/\b(gruppo|profilo) server\b/i, 'gruppo di server'],
    [/\b(log ?in|log ?out)\b/i, 'accesso, Esci'],
    [/"/, '« »'],
    [/perchè|poichè|\bpò\b|\bE'/, 'perché, poiché, po’, È'],
  ],
  'zh-CN': [
    [/[伺檔儲選單錄關開啟這請與務網個項]/u, 'simplified characters'],
    [/登陆|帐号|缺省/u, '登录, 账号, 默认'],
    [/\p{Script=Han}[,:;?!()]|[,:;?!(]\p{Script=Han}/u, 'full-width punctuation'],
    [/「|」/u, '“ ”'],
  ],
  'zh-TW': [
    [/[务档储选单录关开启这请与网个项]/u, 'traditional characters'],
    [
      /服務器|網絡|默認|用戶(?!端)|文件|菜單|登錄|保存|刷新|搜索|內存|密鑰|字符|信息|界面|在線|數據庫|硬件|軟件/u,
      'the word used in Taiwan',
    ],
    [/\p{Script=Han}[,:;?!()]|[,:;?!(]\p{Script=Han}/u, 'full-width punctuation'],
    [/“|”/u, '「 」'],
  ],
  'de-DE': [
    [/\bKennwort|\bUser\b|\bLöschung\b/, 'Passwort, Benutzer, löschen'],
    [/\b(Login|Logout|einloggen|ausloggen)\b/i, 'Anmelden, Abmelden'],
    [/"\p{L}/u, '„ “'],
    [/\b(muß|daß|dieß)\b/, 'the spelling of today'],
    [/\b(du|dein|deine|Ihr|Ihre)\b/, 'no form of address'],
  ],
  es: [
    [/"\p{L}/u, '«»'],
    [/\b(vosotros|ordenador|computadora)\b/i, 'no form of address, equipo'],
    [/(?<!\p{L})(tú|tuy[ao]s?|tus?|inténtalo|(?<!se )elija|elimine)(?!\p{L})/iu, 'the infinitive, as elsewhere'],
  ],
  fr: [
    [/"\p{L}/u, '« »'],
    [/\p{L} ?[:?](?=\s|$)/u, 'a narrow no-break space before it'],
    [/(?<!\p{L}|vous )(?!(chez|assez)(?!\p{L}))\p{L}+ez(?!\p{L})/iu, 'the infinitive, as elsewhere'],
  ],
  'pt-BR': [
    [/"\p{L}/u, '“ ”'],
    [/\b(ficheiro|ecrã|utilizador|palavra-passe|telemóvel|ligação)\b/i, 'the word used in Brazil'],
  ],
  ro: [
    [/[şţŞŢ]/u, 'ș, ț'],
    [/"\p{L}/u, '„ ”'],
  ],
  ru: [
    [/[a-z][а-яё]|[а-яё][a-z]/i, 'letters of one alphabet'],
    [/"\p{L}/u, '« »'],
  ],
  uk: [
    [/[a-z][а-яіїєґ]|[а-яіїєґ][a-z]/i, 'letters of one alphabet'],
    [/[ыэъё]/i, 'Ukrainian letters'],
    [/"\p{L}/u, '« »'],
  ],
  ja: [
    [/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}][,:;?!()]/u, 'full-width punctuation'],
    [/[\uff61-\uff9f]/u, 'full-width katakana'],
  ],
  ko: [[/[。、，：；？！（）]/u, 'half-width punctuation']],
}

/** Placeholders and samples of JSON follow no language. */
const prose = (text: string) => text.replaceAll(/%\{\w+\}|\{.*\}|\[".*"\]/g, '')

describe.each(locales.map(({ locale }) => locale))('an operator reading %s', (locale) => {
  const signIn = signInTextsOf(locale)

  it('has one word for one thing, and the punctuation of the language', () => {
    const found = (slips[locale] ?? []).flatMap(([slip, better]) =>
      [...texts[locale], ...signIn]
        .filter(([, text]) => slip.test(prose(text)))
        .map(([key, text]) => `${key}: '${text}' has '${prose(text).match(slip)?.[0]}'; write ${better}`),
    )
    expect(found).toEqual([])
  })

  it('has the same words on the sign-in form as behind it', () => {
    const twins = {
      'app.shell.fallback_title': 'login.site',
      'app.shell.language': 'login.language',
      'app.shell.theme': 'login.theme',
      'app.shell.theme_light': 'login.light',
      'app.shell.theme_dark': 'login.dark',
      'app.shell.theme_system': 'login.system',
      'app.error.unreachable': 'login.unreachable',
    }
    for (const [behind, before] of Object.entries(twins)) {
      expect(signIn.get(before), before).toBe(texts[locale].get(behind))
    }
  })

  it('names the least number of characters wherever English does', () => {
    const placeholders = (text: string) => text.match(/\{\{\w+\}\}/g) ?? []
    for (const [key, text] of signInTextsOf('en-US')) {
      expect(placeholders(signIn.get(key) ?? ''), key).toEqual(placeholders(text))
    }
  })
})

import { useQuery } from '@tanstack/react-query'
import cronstrue from 'cronstrue'

/** The library's names of the languages beside English, each loaded when it is needed. */
const languages: Readonly<Record<string, { name: string; load: () => Promise<unknown> }>> = {
  'de-DE': { name: 'de', load: () => import('cronstrue/locales/de.js') },
  es: { name: 'es', load: () => import('cronstrue/locales/es.js') },
  fr: { name: 'fr', load: () => import('cronstrue/locales/fr.js') },
  id: { name: 'id', load: () => import('cronstrue/locales/id.js') },
  it: { name: 'it', load: () => import('cronstrue/locales/it.js') },
  ja: { name: 'ja', load: () => import('cronstrue/locales/ja.js') },
  ko: { name: 'ko', load: () => import('cronstrue/locales/ko.js') },
  'pt-BR': { name: 'pt_BR', load: () => import('cronstrue/locales/pt_BR.js') },
  ro: { name: 'ro', load: () => import('cronstrue/locales/ro.js') },
  ru: { name: 'ru', load: () => import('cronstrue/locales/ru.js') },
  ta: { name: 'ta', load: () => import('./cronTamil.ts') },
  uk: { name: 'uk', load: () => import('cronstrue/locales/uk.js') },
  'zh-CN': { name: 'zh_CN', load: () => import('cronstrue/locales/zh_CN.js') },
  'zh-TW': { name: 'zh_TW', load: () => import('cronstrue/locales/zh_TW.js') },
}

/**
 * Describes six fields: 'At 03:00, Monday through Friday'.
 * @param text fields that the parser has accepted
 * @param locale one of the console's; any other is described in English
 */
export async function describeCron(text: string, locale: string): Promise<string> {
  const language = languages[locale]
  await language?.load()
  const options = { locale: language?.name ?? 'en', use24HourTimeFormat: true }
  return cronstrue.toString(normalizeCron(text), options)
}

/** Servers accept spellings that the library does not know: `?` for `*` everywhere, `+5`, and `*-5` for `*`. */
const normalizeCron = (text: string) =>
  text
    .replaceAll('?', '*')
    .replaceAll(/\*-[^,/\s]*/g, '*')
    .replaceAll('+', '')

/** `describeCron` as a hook; empty while loading. */
export function useCronDescription(text: string, locale: string): string {
  const { data = '' } = useQuery({
    queryKey: ['cron description', text, locale],
    queryFn: () => describeCron(text, locale),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

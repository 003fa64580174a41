import { useQuery } from '@tanstack/react-query'
import cronstrue from 'cronstrue'

/** The library's names of the languages beside English, each loaded when it is needed. */
const languages: Readonly<Record<string, { name: string; load: () => Promise<unknown> }>> = {
  it: { name: 'it', load: () => import('cronstrue/locales/it.js') },
  'zh-CN': { name: 'zh_CN', load: () => import('cronstrue/locales/zh_CN.js') },
  'zh-TW': { name: 'zh_TW', load: () => import('cronstrue/locales/zh_TW.js') },
  'de-DE': { name: 'de', load: () => import('cronstrue/locales/de.js') },
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

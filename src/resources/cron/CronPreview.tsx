import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import cronstrue from 'cronstrue'
import { useMemo } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'
import { formatDuration } from '../../components/format/format.ts'
import { useSetting } from '../../components/useSetting.ts'
import { CronError, type CronExpression, parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRuns } from '../../domain/cron/cronRuns.ts'

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
function useCronDescription(text: string, locale: string): string {
  const { data = '' } = useQuery({
    queryKey: ['cron description', text, locale],
    queryFn: () => describeCron(text, locale),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

const runsShown = 5

/** The description of an expression and its next runs, if their time zone is known; or what is wrong with it. */
export default function CronPreview({ expression }: { expression: string }) {
  const translate = useTranslate()
  const parsed = useMemo(() => tryParse(expression), [expression])
  return (
    <Frame>
      {parsed instanceof CronError ? translate(parsed.key, parsed.args) : <CronSummary expression={parsed} />}
    </Frame>
  )
}

function CronSummary({ expression }: { expression: CronExpression }) {
  const translate = useTranslate()
  const serverZone = useSetting()?.wheelhouse?.timezone
  const zone = (expression.kind === 'clock' ? expression.zone : undefined) ?? serverZone
  return (
    <>
      {expression.kind === 'every' ? (
        <strong>
          {translate('resources.cron.values.every', { duration: formatDuration(expression.seconds, translate) })}
        </strong>
      ) : (
        <Description text={expression.text} />
      )}
      {zone ? (
        <NextRuns expression={expression} zone={zone} />
      ) : (
        <p>{translate('resources.cron.values.zone_of_server')}</p>
      )}
    </>
  )
}

function Description({ text }: { text: string }) {
  const [locale] = useLocaleState()
  return <strong>{useCronDescription(text, locale)}</strong>
}

function NextRuns({ expression, zone }: { expression: CronExpression; zone: string }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const runs = useMemo(() => nextRuns(expression, Date.now(), zone, runsShown), [expression, zone])
  if (runs.length === 0) return <p>{translate('resources.cron.values.no_run')}</p>
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return (
    <>
      <p>{translate('resources.cron.values.next_runs', { zone })}</p>
      <ol>
        {runs.map((at) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
          </li>
        ))}
      </ol>
    </>
  )
}

function tryParse(expression: string): CronExpression | CronError {
  try {
    return parseCron(expression)
  } catch (error) {
    if (error instanceof CronError) return error
    throw error
  }
}

const Frame = styled('div')(({ theme }) => ({
  marginTop: theme.spacing(1),
  padding: theme.spacing(1, 1.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontSize: 13,
  '& strong': { display: 'block' },
  '& p': { margin: theme.spacing(0.5, 0), color: theme.vars.palette.text.secondary },
  '& ol': { margin: 0, paddingLeft: theme.spacing(2.5), fontVariantNumeric: 'tabular-nums' },
}))

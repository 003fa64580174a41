import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { formatBytes, formatDateTime } from '../../../components/format/format.ts'
import { formatCalendarDay } from '../../../components/format/formatTime.ts'
import { type Language, useLanguage } from '../../../components/format/useLanguage.ts'
import { Copied, Fact, FactList, Panel } from '../../../components/Panel.tsx'
import { addressesOf, metricsOf, type ServerRow } from '../../../components/serverMetrics.ts'
import { useLive } from '../../../live/store.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'
import { noteParts } from '../../../schemas/machines/publicNote.ts'
import { dayOf, type NoteKind, noteChoices } from '../publicNote/publicNoteValues.ts'

/** The notes of a server; absent without any. */
export function ServerNotes({ server: { note, public_note } }: { server: ServerRow }) {
  const translate = useTranslate()
  if (!note && !public_note) return null
  return (
    <Panel title={translate('app.overview.notes')}>
      {note ? <Note>{note}</Note> : null}
      {public_note ? (
        <>
          <Heading>{translate('resources.server.fields.public_note')}</Heading>
          <PublicNote text={public_note} />
        </>
      ) : null}
    </Panel>
  )
}

/** A note that fits the form by its fields, any other as it was written. */
function PublicNote({ text }: { text: string }) {
  const language = useLanguage()
  const facts = factsIn(text)
  if (facts.length === 0) return <Note>{text}</Note>
  return (
    <FactList>
      {facts.map(({ key, kind, value }) => (
        <Fact key={key} name={language.translate(`app.public_note.fields.${key}`)}>
          {valueText(kind, value, language)}
        </Fact>
      ))}
    </FactList>
  )
}

/** As its field in the form shows it; what the form could not show stays as it was written. */
function valueText(kind: NoteKind, value: string, { locale, translate }: Language): string {
  if (kind === 'flag') return value === '0' || value === '1' ? translate(`ra.boolean.${value === '1'}`) : value
  if (kind === 'cycle' || kind === 'traffic') {
    const choice = Object.entries(noteChoices[kind]).find(([code]) => code === value)
    return choice ? translate(`app.public_note.choices.${choice[1]}`) : value
  }
  if (kind === 'text') return value
  // The year 0 stands for never.
  if (kind === 'end' && value.startsWith('0000')) return translate('app.public_note.no_expiry')
  const at = Date.parse(dayOf(value))
  return Number.isNaN(at) ? value : formatCalendarDay(at, locale)
}

interface NoteFact {
  key: string
  kind: NoteKind
  value: string
}

function factsIn(text: string): NoteFact[] {
  const note = parseNote(text)
  return Object.entries(noteParts).flatMap(([part, fields]) =>
    Object.entries<NoteKind>(fields).flatMap(([key, kind]): NoteFact[] => {
      const values = note[part]
      const value = isObject(values) ? values[key] : undefined
      return typeof value === 'string' && value !== '' ? [{ key, kind, value }] : []
    }),
  )
}

/** What the text holds, where it is an object in JSON. */
function parseNote(text: string): Values {
  try {
    const note: unknown = JSON.parse(text)
    return isObject(note) ? note : {}
  } catch {
    return {}
  }
}

const Note = styled('p')({ margin: 0, fontSize: 13, whiteSpace: 'pre-wrap' })
const Heading = styled('h3')(({ theme }) => ({ ...theme.typography.h3, margin: theme.spacing(1.5, 0, 0.5) }))

/** What the machine is: its system, hardware, addresses and agent. */
export function ServerFacts({ server }: { server: ServerRow & { owner?: { id: number; username?: string } } }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  // Machines report these once: they do not change with every frame.
  const live = useLive(Number(server.id), (entry) => entry?.host)
  const host = live ?? metricsOf(server).host
  const size = (bytes: number | undefined) => (bytes ? formatBytes(bytes, locale) : undefined)
  const addresses = addressesOf(server)
  const timeOf = (moment: string) => formatDateTime(Date.parse(moment), locale)
  const { jumps = 0, values = 0, jumped_at } = server.left_out ?? {}
  const leftOut = [
    ...(jumped_at ? [translate('app.overview.jumps_left_out', { smart_count: jumps, at: timeOf(jumped_at) })] : []),
    ...(values > 0 ? [translate('app.overview.values_left_out', { smart_count: values })] : []),
  ]
  const country = countryName(server.geoip?.country_code, locale)
  return (
    <Panel title={translate('app.overview.machine')}>
      <FactList>
        <Fact name={translate('app.overview.system')}>
          {[host.platform, host.platform_version].filter(Boolean).join(' ')}
        </Fact>
        <Fact name={translate('app.overview.kind')}>
          {[host.virtualization, host.arch].filter(Boolean).join(' · ')}
        </Fact>
        <Fact name={translate('resources.server.columns.cpu')}>{(host.cpu ?? []).join('\n')}</Fact>
        <Fact name={translate('app.charts.metrics.gpu')}>{(host.gpu ?? []).join('\n')}</Fact>
        <Fact name={translate('resources.server.columns.memory')}>{size(host.mem_total)}</Fact>
        <Fact name={translate('resources.server.columns.swap')}>{size(host.swap_total)}</Fact>
        <Fact name={translate('resources.server.columns.disk')}>{size(host.disk_total)}</Fact>
        <Fact name={translate('app.overview.booted')}>
          {host.boot_time ? formatDateTime(host.boot_time * 1000, locale) : undefined}
        </Fact>
        <Fact name={translate('resources.server.fields.left_out')}>{leftOut.join('\n')}</Fact>
        <Fact name={translate('app.overview.addresses')}>
          {addresses.length > 0
            ? addresses.map((address) => <Copied key={address} text={address} name={address} />)
            : undefined}
        </Fact>
        <Fact name={translate('app.overview.country')}>{country}</Fact>
        <Fact name={translate('resources.server.fields.host_version')}>{host.version}</Fact>
        <Fact name={translate('app.overview.owner')}>{server.owner?.username}</Fact>
        <Fact name="UUID">{server.uuid ? <Copied text={server.uuid} name="UUID" /> : undefined}</Fact>
      </FactList>
    </Panel>
  )
}

/** 'nl' is 'Netherlands'; an unknown code stays as it is. */
function countryName(code: string | undefined, locale: string): string | undefined {
  if (!code) return undefined
  try {
    return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code.toUpperCase())
  } catch {
    return code
  }
}

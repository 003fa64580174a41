import DownloadIcon from '@mui/icons-material/Download'
import IconButton from '@mui/material/IconButton'
import { useId, useState } from 'react'
import { useDataProvider, useLocation, useTranslate } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { useSettled } from '../../../components/useSettled.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import type { InputOf } from '../../../schemas/define/endpoint.ts'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { LogLine } from '../../../schemas/inspect/logs.ts'
import { LogView, sourceText } from './LogView.tsx'
import { SearchField, SubjectPanel, type SubjectProps, useInspected } from './SubjectPanel.tsx'

/** Milliseconds without another letter before a machine is asked for a text. */
const typingPauseMs = 400
/** Seconds before and after a moment whose lines are asked for. */
const aroundSeconds = 300
const priorities = [0, 1, 2, 3, 4, 5, 6, 7]
const numbersOfLines = [200, 500, 2000]

/** The journal of a machine and the files below /var/log; `?at=` in the address is a moment in seconds since 1970. */
export default function Logs({ server }: SubjectProps) {
  const { locale, translate } = useLanguage()
  const at = Number(new URLSearchParams(useLocation().search).get('at')) || undefined
  const [file, setFile] = useState('')
  const [priority, setPriority] = useState('')
  const [lines, setLines] = useState(500)
  const [period, setPeriod] = useState({
    since: at ? localText(at - aroundSeconds) : '',
    until: at ? localText(at + aroundSeconds) : '',
  })
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim(), typingPauseMs)
  const [typedUnit, setTypedUnit] = useState('')
  const unit = useSettled(typedUnit.trim(), typingPauseMs)
  const ids = { source: useId(), unit: useId(), priority: useId(), lines: useId(), since: useId(), until: useId() }
  const files = useInspected(inspectEndpoints.logFiles, { id: server.id }, false)
  const [since, until] = [secondsOf(period.since), secondsOf(period.until)]
  const ofJournal = {
    ...(unit && { unit }),
    ...(priority && { priority: Number(priority) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
  const {
    asked,
    lines: items,
    earlier,
  } = useLogLines({
    id: server.id,
    lines,
    ...(text && { text }),
    ...(file ? { file } : ofJournal),
  })
  const choose = (label: string, id: string, field: React.ReactNode) => (
    <span>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {field}
    </span>
  )
  const filters = (
    <>
      {choose(
        translate('app.inspect.logs.source'),
        ids.source,
        <select id={ids.source} value={file} onChange={({ target }) => setFile(target.value)} style={{ maxWidth: 280 }}>
          <option value="">{translate('app.inspect.logs.journal')}</option>
          {[...(files.data?.items ?? [])]
            .sort((one, other) => one.path.localeCompare(other.path))
            .map(({ path, size }) => (
              <option key={path} value={path}>
                {path} ({formatBytes(size, locale)})
              </option>
            ))}
        </select>,
      )}
      <SearchField value={typed} onChange={setTyped} />
      {file
        ? null
        : choose(
            translate('app.inspect.units.columns.name'),
            ids.unit,
            <>
              <input
                id={ids.unit}
                type="text"
                list={`${ids.unit}-known`}
                placeholder={translate('app.inspect.units.columns.name')}
                autoComplete="off"
                spellCheck={false}
                value={typedUnit}
                onChange={({ target }) => setTypedUnit(target.value)}
                style={{ width: 160 }}
              />
              <datalist id={`${ids.unit}-known`}>
                {unitsIn(items).map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>,
          )}
      {file
        ? null
        : choose(
            translate('app.inspect.logs.priority'),
            ids.priority,
            <select id={ids.priority} value={priority} onChange={({ target }) => setPriority(target.value)}>
              <option value="">{translate('app.inspect.logs.every_priority')}</option>
              {priorities.map((one) => (
                <option key={one} value={one}>
                  {translate(`app.inspect.logs.priorities.${one}`)}
                </option>
              ))}
            </select>,
          )}
      {file
        ? null
        : (['since', 'until'] as const).map((end) => (
            <label key={end} htmlFor={ids[end]} style={{ fontSize: 13 }}>
              {translate(`app.inspect.logs.${end}`)}{' '}
              <input
                id={ids[end]}
                type="datetime-local"
                value={period[end]}
                onChange={({ target }) => setPeriod({ ...period, [end]: target.value })}
              />
            </label>
          ))}
      {choose(
        translate('app.inspect.logs.lines'),
        ids.lines,
        <select id={ids.lines} value={lines} onChange={({ target }) => setLines(Number(target.value))}>
          {numbersOfLines.map((count) => (
            <option key={count} value={count}>
              {translate('app.inspect.logs.last', { smart_count: count })}
            </option>
          ))}
        </select>,
      )}
      <Download lines={items} name={`${server.name}-${file.split('/').at(-1) || 'journal'}.log`} />
    </>
  )
  // Without a journal there may be files all the same.
  const shown = asked.data?.cause ? { ...asked, data: { ...asked.data, cause: undefined } } : asked
  return (
    <SubjectPanel asked={shown} tools={filters}>
      {asked.data?.cause ? (
        <p role="status">
          {translate(`app.inspect.causes.${asked.data.cause}`, {
            _: asked.data.reason,
            detail: asked.data.detail ?? '',
          })}
        </p>
      ) : (
        <LogView
          label={translate('app.inspect.subjects.logs')}
          lines={items}
          empty={translate('app.inspect.logs.none')}
          earlier={earlier}
        />
      )}
    </SubjectPanel>
  )
}

/** The units that have written these lines, as proposals. */
const unitsIn = (lines: readonly LogLine[]) => [...new Set(lines.flatMap(({ unit }) => unit ?? []))].sort()

/** `2026-11-27T14:00` by the clock of the browser, as inputs have it. */
function localText(seconds: number): string {
  const date = new Date(seconds * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  // An address may have any number.
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 16)
}

const secondsOf = (text: string): number | undefined => (text ? Math.floor(Date.parse(text) / 1000) : undefined)

/** Saves the lines that are shown. */
function Download({ lines, name }: { lines: readonly LogLine[]; name: string }) {
  const translate = useTranslate()
  const label = translate('app.inspect.logs.download')
  const save = () => {
    const text = lines.map((line) =>
      [line.at, line.identifier && sourceText(line), line.message].filter(Boolean).join(' '),
    )
    const url = URL.createObjectURL(new Blob([`${text.join('\n')}\n`], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
  return (
    <IconButton size="small" aria-label={label} title={label} disabled={lines.length === 0} onClick={save}>
      <DownloadIcon fontSize="small" />
    </IconButton>
  )
}

/** Lines that the browser keeps at most, and those of one answer. */
const mostLines = 100_000
const linesOfPage = 2000

interface Kept {
  /** What was asked. */
  question: string
  lines: readonly LogLine[]
  earlier: string | undefined
}

/**
 * The lines of a log, the last ones as they come. Whoever reads back holds it: what is on screen stays, however much comes
 * meanwhile, until they go on.
 * @param input with the `id` of the server
 */
function useLogLines(input: InputOf<typeof inspectEndpoints.logs> & { id: number }) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const asked = useInspected(inspectEndpoints.logs, input)
  const [kept, setKept] = useState<Kept>()
  const [isLoading, setLoading] = useState(false)
  const question = JSON.stringify(input)
  const { lines, earlier }: Omit<Kept, 'question'> =
    kept?.question === question ? kept : { lines: asked.data?.items ?? [], earlier: asked.data?.earlier }

  async function loadEarlier(): Promise<void> {
    asked.setPaused(true)
    setLoading(true)
    try {
      const page = await call(inspectEndpoints.logs, { ...input, lines: linesOfPage, before: earlier })
      if (page.cause) throw new Error(page.reason)
      setKept({ question, lines: [...page.items, ...lines].slice(-mostLines), earlier: page.earlier })
    } catch (error) {
      showError(error)
    } finally {
      setLoading(false)
    }
  }

  return {
    asked: {
      ...asked,
      setPaused(isPaused: boolean) {
        if (!isPaused) setKept(undefined)
        asked.setPaused(isPaused)
      },
    },
    lines,
    earlier: earlier && lines.length < mostLines ? { isLoading, onLoad: () => void loadEarlier() } : undefined,
  }
}

/** @jsxImportSource preact */
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { fillText } from '../../i18n/fillText.ts'
import type { PublicStatus, StatusServer } from '../schemas/status/publicStatus.ts'
import { useLanguage } from './language.ts'
import { loadText, metersOf, networkText, trafficText, uptimeText } from './metricTexts.ts'
import { countryName, Meter, noteFacts, ServerCard, ServerName, ServerState } from './ServerCard.tsx'

type View = 'cards' | 'table'

const storageKey = 'wheelhouse.status-view'

/** Cards or table, as this browser had it at the last visit. */
function useStoredView(): [View, (view: View) => void] {
  const [view, setView] = useState(stored)
  return [
    view,
    (next) => {
      setView(next)
      try {
        localStorage.setItem(storageKey, next)
      } catch {
        // A browser without a store forgets the choice at the next visit.
      }
    },
  ]
}

function stored(): View {
  try {
    return localStorage.getItem(storageKey) === 'table' ? 'table' : 'cards'
  } catch {
    return 'cards'
  }
}

/** Servers that are drawn at once; a phone takes a second for some hundreds. */
const pageSize = 60

/** All servers, as cards or as a table, with a search and a choice of groups. */
export function ServerSection({ status }: { status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  const [search, setSearch] = useState('')
  const [group, setGroup] = useState(0)
  const [view, setView] = useStoredView()
  const [count, setCount] = useState(pageSize)
  if (status.servers.length === 0) return null
  const members = status.groups.find(({ id }) => id === group)?.servers
  const found = status.servers.filter(
    (server) => (!members || members.includes(server.id)) && fits(server, search.trim().toLowerCase(), locale),
  )
  const shown = found.slice(0, count)
  const hasHeadings = !members && status.groups.length > 0
  return (
    <section aria-labelledby="servers">
      <div class="toolbar">
        <h2 id="servers">{texts.servers}</h2>
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          maxLength={100}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {status.groups.length > 0 && (
          <select
            aria-label={texts.group}
            value={group}
            onChange={({ currentTarget }) => setGroup(Number(currentTarget.value))}
          >
            <option value={0}>{texts.allGroups}</option>
            {status.groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <fieldset class="views" aria-label={texts.view}>
          {(['cards', 'table'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => setView(each)}>
              {texts[each]}
            </button>
          ))}
        </fieldset>
      </div>
      {shown.length === 0 && <p role="status">{texts.noMatch}</p>}
      {byGroup(shown, hasHeadings ? status.groups : []).map(({ id, name, servers }) => (
        <Fragment key={id}>
          {hasHeadings && <h3 class="group">{name || texts.ungrouped}</h3>}
          {view === 'cards' ? (
            <ul class="cards">
              {servers.map((server) => (
                <ServerCard key={server.id} server={server} status={status} />
              ))}
            </ul>
          ) : (
            <ServerTable name={name || texts.servers} servers={servers} status={status} />
          )}
        </Fragment>
      ))}
      {found.length > count && (
        <button type="button" class="more" onClick={() => setCount(count + pageSize)}>
          {fillText(texts.showMore, { count: Math.min(pageSize, found.length - count) })}
        </button>
      )}
    </section>
  )
}

interface Group {
  id: number
  /** Empty for the servers without a group. */
  name: string
  servers: StatusServer[]
}

/** Servers under the first of their groups, in the order of the groups; those without one come last. */
function byGroup(servers: readonly StatusServer[], groups: PublicStatus['groups']): Group[] {
  const sections = [...groups, { id: 0, name: '' }].map(({ id, name }): Group => ({ id, name, servers: [] }))
  for (const server of servers) {
    const index = groups.findIndex((group) => group.servers.includes(server.id))
    sections.at(index)?.servers.push(server)
  }
  return sections.filter((section) => section.servers.length > 0)
}

/** By name, country and system. */
function fits({ name, country_code = '', platform = '' }: StatusServer, words: string, locale: string): boolean {
  const text = [name, country_code, countryName(country_code, locale), platform].join(' ').toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}

interface ServerTableProps {
  /** What screen readers call it. */
  name: string
  servers: readonly StatusServer[]
  status: PublicStatus
}

/** Servers row by row, for those who have many. */
function ServerTable({ name, servers, status }: ServerTableProps) {
  const { texts } = useLanguage()
  const hasNotes = servers.some(({ note }) => note)
  const heads = [
    texts.server,
    texts.state,
    texts.system,
    texts.uptime,
    texts.load,
    texts.cpu,
    texts.memory,
    texts.disk,
    texts.network,
    texts.traffic,
    ...(hasNotes ? [texts.plan] : []),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="panel scroll" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <TableRow key={server.id} server={server} status={status} hasNotes={hasNotes} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface TableRowProps {
  server: StatusServer
  status: PublicStatus
  hasNotes: boolean
}

function TableRow({ server, status, hasNotes }: TableRowProps) {
  const { texts, locale } = useLanguage()
  const metrics = status.metrics[server.id]
  return (
    <tr>
      <th scope="row">
        <ServerName server={server} />
      </th>
      <td>
        <ServerState id={server.id} status={status} />
      </td>
      <td>{server.platform}</td>
      <td>{metrics && uptimeText(metrics, locale)}</td>
      <td>{metrics && loadText(metrics, locale)}</td>
      {metersOf(server, metrics ?? {}, texts, locale).map((meter) => (
        <td key={meter.label}>{metrics && <Meter {...meter} isBare />}</td>
      ))}
      <td>{metrics && networkText(metrics, locale)}</td>
      <td>{metrics && trafficText(metrics, locale)}</td>
      {hasNotes && <td>{server.note && noteText(server.note, texts, locale)}</td>}
    </tr>
  )
}

const noteText = (...note: Parameters<typeof noteFacts>) =>
  noteFacts(...note)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')

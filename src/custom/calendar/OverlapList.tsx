import { styled } from '@mui/material/styles'
import { Fragment } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'
import { RecordLink } from '../../components/overview/RelatedList.tsx'
import { ShowAllButton, useFirstRows } from '../../components/overview/useFirstRows.tsx'
import { MoreNames } from '../../engine/parts/MoreNames.tsx'
import { nameOf, type TaskRow } from './taskCalendar.ts'
import type { TaskOverlap } from './taskOverlaps.ts'

const overlapsShown = 20
const namesShown = 3

interface OverlapListProps {
  overlaps: readonly TaskOverlap[]
  /** By id. */
  tasks: ReadonlyMap<number, TaskRow>
  /** Names by id. */
  servers: ReadonlyMap<number, string>
  formatTime: (at: number) => string
}

/** The overlaps in words: which tasks, on which servers, when. */
export function OverlapList({ overlaps, tasks, servers, formatTime }: OverlapListProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { shown, hidden, showAll } = useFirstRows(overlaps, overlapsShown)
  if (overlaps.length === 0) return <p>{translate('app.cron_calendar.no_overlaps')}</p>
  return (
    <>
      <List>
        {shown.map((overlap) => {
          const key = `${overlap.tasks.join()} ${overlap.servers[0]} ${overlap.servers.length}`
          const names = overlap.servers.map((id) => ({ id, name: servers.get(id) ?? `#${id}` }))
          const times = overlap.times.slice(0, namesShown).map(formatTime)
          const moreTimes = overlap.times.length - times.length
          return (
            <li key={key}>
              <TaskNames tasks={overlap.tasks.flatMap((id) => tasks.get(id) ?? [])} locale={locale} />
              <small>
                {names
                  .slice(0, namesShown)
                  .map(({ name }) => name)
                  .join(', ')}
                {names.length > namesShown ? (
                  <>
                    {' '}
                    <MoreNames
                      label={translate('resources.server.name', { smart_count: 2 })}
                      names={() => names}
                      count={names.length - namesShown}
                    />
                  </>
                ) : null}
                {' · '}
                {times.join(', ')}
                {moreTimes > 0 ? ` ${translate('app.list.more', { count: moreTimes })}` : null}
              </small>
            </li>
          )
        })}
      </List>
      <ShowAllButton hidden={hidden} showAll={showAll} />
    </>
  )
}

/** Names with links, joined as the language joins them: 'Backup and Log rotation'. */
function TaskNames({ tasks, locale }: { tasks: readonly TaskRow[]; locale: string }) {
  let next = 0
  return new Intl.ListFormat(locale).formatToParts(tasks.map(nameOf)).map(({ type, value }, index) => {
    const task = type === 'element' ? tasks[next++] : undefined
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence, which all change together
      <Fragment key={index}>
        {task ? (
          <RecordLink entity="cron" record={task}>
            {value}
          </RecordLink>
        ) : (
          value
        )}
      </Fragment>
    )
  })
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 14,
  overflowWrap: 'anywhere',
  '& > li': { paddingBlock: theme.spacing(1), borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& a': { color: theme.vars.palette.primary.main },
  '& small': { display: 'block', fontSize: 13, color: theme.vars.palette.text.secondary },
}))

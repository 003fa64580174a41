import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import { type Identifier, LinkBase, type RaRecord, useGetList, useLocation, useTranslate } from 'react-admin'
import type { FormState } from '../../engine/define/screen.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { everyRowByName } from '../../records/wholeList.ts'
import { allows } from '../../schemas/define/access.ts'
import type { Entity } from '../../schemas/define/entity.ts'

interface RelatedListProps {
  entity: Entity
  title: string
  /** Whether a record belongs to what the page is about. */
  isRelated: (record: RaRecord) => boolean
  /** What stands below and beside its name. */
  detail?: (record: RaRecord) => ReactNode
  /** What is said without any. */
  none?: string
}

/** More are drawn when somebody asks for them. */
const firstShown = 8

/** Records of another entity that belong to what the page is about, by name. Absent for those who may not list them. */
export function RelatedList({ entity, title, isRelated, detail, none }: RelatedListProps) {
  const translate = useTranslate()
  const { identity } = useIdentity()
  const mayList = allows(identity?.role, entity.access.list)
  const { data, error, refetch, isPending } = useGetList(entity.name, everyRowByName, { enabled: mayList })
  const related = (data ?? []).filter(isRelated)
  const { shown, hidden, showAll } = useFirstRows(related, firstShown)
  if (!mayList) return null
  return (
    <Group data-pending={isPending}>
      <h3>
        {title} {related.length > 0 ? <small>{related.length}</small> : null}
      </h3>
      {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
      {data && related.length === 0 ? <p>{none ?? translate('app.overview.none')}</p> : null}
      <ul>
        {shown.map((record) => (
          <li key={record.id}>
            <RecordLink entity={entity.name} record={record}>
              {record.name || `#${record.id}`}
            </RecordLink>
            {detail?.(record)}
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <button type="button" onClick={showAll}>
          {translate('app.list.more', { count: hidden })}
        </button>
      ) : null}
    </Group>
  )
}

interface RecordLinkProps {
  entity: string
  record: { id: Identifier }
  /** A dialog of the record that has an address, instead of its form. */
  dialog?: string
  children: ReactNode
}

/** Links to the overview of a record, or to its form, which leads back here; plain text where it may not be opened. */
export function RecordLink({ entity, record, dialog, children }: RecordLinkProps) {
  const { pathname, search } = useLocation()
  const address = useRecordAddress(entity, dialog)(record)
  if (!address) return <span>{children}</span>
  return (
    <LinkBase to={address} state={{ openedFrom: `${pathname}${search}` } satisfies FormState}>
      {children}
    </LinkBase>
  )
}

const Group = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(1),
  fontSize: 13,
  // Room for a record, or for the words that there is none.
  '&[data-pending=true] > ul': { minHeight: 28 },
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { margin: 0, fontSize: 13, fontWeight: 600 },
  '& h3 > small': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  '& p': { margin: 0, lineHeight: '28px', color: theme.vars.palette.text.secondary },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 1.5),
    minHeight: 28,
    overflowWrap: 'anywhere',
  },
  // A state with a note may take two lines.
  '& li > *': { flexWrap: 'wrap', minWidth: 0 },
  '& li > a': { color: theme.vars.palette.primary.main, textDecoration: 'none' },
  '& li > a:hover': { textDecoration: 'underline' },
  '& li small': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '& > button': {
    minHeight: 28,
    padding: 0,
    border: 0,
    background: 'none',
    font: 'inherit',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
    textDecoration: 'underline dotted',
  },
  [theme.breakpoints.down('sm')]: {
    '& li': { minHeight: 44 },
    '& li > a': { display: 'flex', alignItems: 'center', minHeight: 44 },
    '& > button': { minHeight: 44 },
  },
}))

/** The first rows of a list; all of them after `showAll`. */
export function useFirstRows<Row>(rows: readonly Row[], count: number) {
  const [isAllShown, setAllShown] = useState(false)
  const shown = isAllShown ? rows : rows.slice(0, count)
  return { shown, hidden: rows.length - shown.length, showAll: () => setAllShown(true) }
}

/** Says how many rows are not shown, and shows them; absent when there are none. */
export function ShowAllButton({ hidden, showAll }: Pick<ReturnType<typeof useFirstRows>, 'hidden' | 'showAll'>) {
  const translate = useTranslate()
  if (hidden === 0) return null
  return (
    <Button size="small" onClick={showAll}>
      {translate('app.list.more', { count: hidden })}
    </Button>
  )
}

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { LinkBase, type RaRecord, useLocaleState } from 'react-admin'
import { everyRowByName } from '../../../records/queryRows.ts'
import { useScreen } from '../../define/screen.ts'
import { useRecordAddress } from '../../kinds/reference/recordAddress.ts'
import { useSharedList } from '../../parts/useSharedList.ts'
import { useListView, useTableChoices } from '../state/listView.tsx'
import { type Section, sectionsOf } from './sectionsOf.ts'

interface LongBodyProps {
  records: readonly RaRecord[]
  /** The number of columns. */
  span: number
  rowOf: (record: RaRecord) => ReactNode
}

/** A row of the table: of a record, or the heading of a section. */
type TableLine = { key: string; record: RaRecord } | { key: string; section: Section<RaRecord> }

/** Pixels. */
const rowHeight = { wide: 45, dense: 37 }
/** Rows beyond the window in which the next one can have the focus. */
const overscan = 12

/** The body of a table with rows of any number, of which only those in the window are there; by choice below their groups. */
export default function LongBody({ records, span, rowOf }: LongBodyProps) {
  const { definition } = useScreen()
  const { hasSections } = useListView()
  const { isDense } = useTableChoices()
  const { entity = '', members = '' } = definition.sections ?? {}
  const groups = useSharedList(entity, everyRowByName, hasSections)
  const lines = useMemo(
    () => (hasSections && groups ? sectionLines(sectionsOf(records, groups, members)) : records.map(lineOf(''))),
    [records, groups, hasSections, members],
  )
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    // What is above may have become higher.
    const now = Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (now !== top) setTop(now)
  })
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => (isDense ? rowHeight.dense : rowHeight.wide),
    overscan,
    scrollMargin: top,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return (
    <tbody ref={body}>
      {first ? <Space span={span} height={first.start - top} /> : null}
      {items.map(({ index }) => {
        const line = lines[index]
        if (!line) return null
        if ('section' in line) return <SectionRow key={line.key} section={line.section} span={span} />
        return <Fragment key={line.key}>{rowOf(line.record)}</Fragment>
      })}
      {last ? <Space span={span} height={virtual.getTotalSize() + top - last.end} /> : null}
    </tbody>
  )
}

const lineOf =
  (section: string) =>
  (record: RaRecord): TableLine => ({ key: `${section} ${record.id}`, record })

const sectionLines = (sections: readonly Section<RaRecord>[]): TableLine[] =>
  sections.flatMap((section) => {
    const name = String(section.group?.id ?? '-')
    return [{ key: `section ${name}`, section }, ...section.rows.map(lineOf(name))]
  })

/** Stands for the rows that are not there. */
function Space({ span, height }: { span: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

function SectionRow({ section: { group, rows }, span }: { section: Section<RaRecord>; span: number }) {
  const { definition, translate } = useScreen()
  const addressOf = useRecordAddress(definition.sections?.entity ?? '')
  const [locale] = useLocaleState()
  const address = group && addressOf(group)
  const name = group ? group.name : translate('app.view.no_group')
  return (
    <tr>
      <th scope="rowgroup" colSpan={span} style={{ position: 'static', maxWidth: 'none' }}>
        <span style={{ position: 'sticky', left: 12 }}>
          {address ? <LinkBase to={address}>{name}</LinkBase> : name} {rows.length.toLocaleString(locale)}
        </span>
      </th>
    </tr>
  )
}

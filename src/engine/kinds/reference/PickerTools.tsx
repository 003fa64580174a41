import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { type RaRecord, useGetList, useTranslate } from 'react-admin'
import { everyRow } from '../../../records/wholeList.ts'
import { describeField } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import { entities } from '../../../schemas/index.ts'

/** An entity whose records are groups, and the field with their members. */
interface Grouping {
  entity: string
  members: string
}

/** The entity whose records are groups of the entity `to`. */
export function groupingOf(to: string, all: Readonly<Record<string, Entity>> = entities): Grouping | undefined {
  for (const entity of Object.values(all)) {
    const { members } = entity.api
    if (members && describeField(entity, members)?.to === to) return { entity: entity.name, members }
  }
  return undefined
}

interface PickerToolsProps {
  to: string
  options: readonly RaRecord[]
  chosen: readonly number[]
  onChoose: (ids: number[]) => void
}

/** How many are chosen, and ways to choose many at once: a group's members, or all. */
export function PickerTools({ to, options, chosen, onChoose }: PickerToolsProps) {
  const translate = useTranslate()
  const grouping = groupingOf(to)
  const add = (ids: readonly number[]) => onChoose([...new Set([...chosen, ...ids])])
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
      <span role="status" style={{ flex: 1 }}>
        {chosen.length > 0 ? translate('app.pick.chosen', { count: chosen.length, total: options.length }) : null}
      </span>
      {grouping ? <GroupMenu {...grouping} onPick={add} /> : null}
      <Button size="small" onClick={() => add(options.map(({ id }) => Number(id)))}>
        {translate('app.pick.all', { smart_count: options.length })}
      </Button>
    </span>
  )
}

const everyGroup = {
  pagination: everyRow,
  sort: { field: 'name', order: 'ASC' as const },
}

function GroupMenu({ entity, members, onPick }: Grouping & { onPick: (ids: readonly number[]) => void }) {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { data = [] } = useGetList(entity, everyGroup)
  if (data.length === 0) return null
  return (
    <>
      <Button size="small" aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        {translate('app.pick.by_group')}
      </Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => setAnchor(undefined)}>
        {data.map((group) => {
          const ids = (group[members] as number[] | null | undefined) ?? []
          return (
            <MenuItem
              key={group.id}
              onClick={() => {
                onPick(ids)
                setAnchor(undefined)
              }}
            >
              {translate('app.pick.group', { name: group.name || `#${group.id}`, count: ids.length })}
            </MenuItem>
          )
        })}
      </Menu>
    </>
  )
}

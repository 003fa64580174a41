import type { AutocompleteChangeDetails, AutocompleteChangeReason } from '@mui/material/Autocomplete'
import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type HTMLAttributes,
  type Key,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  Suspense,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type RaRecord, useEvent, useGetList, useTranslate } from 'react-admin'
import { errorMessage } from '../../../domain/errors.ts'
import { byId, everyRow } from '../../../records/queryRows.ts'
import { allows, isReadOnly } from '../../../schemas/define/access.ts'
import { describeField } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import { entities, entityNamed } from '../../../schemas/index.ts'
import { useIdentity } from '../../parts/identity.tsx'
import { MoreNames } from '../../parts/MoreNames.tsx'
import { describedBy, FieldFrame } from '../parts/kind.tsx'
import { useTyping } from '../parts/useTyping.ts'
import { findNamed, readNames } from './pastedNames.ts'
import { RecordPathsContext } from './recordAddress.ts'
import { referenceName } from './useNames.tsx'

/** The option that makes a new record. */
const newRecord: RaRecord = { id: 'new' }

/** Drawing more names would be the slowest part of a form. */
const namesShown = 3
const namesShownFocused = 20
const everything = {
  pagination: everyRow,
  sort: { field: 'name', order: 'ASC' as const },
}

interface ReferencePickerProps {
  /** The name of the entity. */
  to: string
  label: string
  help?: string
  /** Of the input. Default: one of its own. */
  id?: string
  error?: string
  required?: boolean
  /** The field of a form that it is. */
  binding?: { onBlur: () => void; ref: Ref<HTMLInputElement> }
  multiple?: boolean
  chosen: readonly number[]
  onChoose: (ids: number[]) => void
}

/** Without capitals and accents. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

const wordsByList = new WeakMap<readonly RaRecord[], readonly string[]>()

/**
 * The words by which records are found, without capitals and accents; worked out once for each answer of the server.
 */
function wordsOf(to: string, records: readonly RaRecord[]): readonly string[] {
  let words = wordsByList.get(records)
  if (!words) {
    words = records.map((record) => plain(`${referenceName(to, record)} #${record.id}`))
    wordsByList.set(records, words)
  }
  return words
}

function matching(to: string, records: RaRecord[], { inputValue }: { inputValue: string }): RaRecord[] {
  const searched = plain(inputValue.trim())
  if (searched === '') return records
  const words = wordsOf(to, records)
  return records.filter((_, index) => words[index]?.includes(searched))
}

const noRecords: RaRecord[] = []

/** The form of a new record of an entity over this form, where this person may make one. */
function useNewDialog(to: string) {
  const NewDialog = use(RecordPathsContext).get(to)?.NewDialog
  const { identity } = useIdentity()
  const entity = entityNamed(to)
  return entity && allows(identity?.role, entity.access.create) ? NewDialog : undefined
}

/** Picks records of another entity by name. An id without a record stays chosen until somebody removes it. */
export default function ReferencePicker(props: ReferencePickerProps) {
  const { to, label, help, error, required = false, binding, multiple = false, chosen, onChoose } = props
  const ownId = useId()
  const { id = ownId } = props
  const translate = useTranslate()
  const { data = noRecords, isPending, error: failure, refetch } = useGetList(to, everything)
  const NewDialog = useNewDialog(to)
  const [isMaking, setMaking] = useState(false)
  // The server accepts only records that this person may change.
  const options = useMemo(() => data.filter((record) => !isReadOnly(record)), [data])
  const [unknownNames, setUnknownNames] = useState<string[]>([])
  const [pastedNames, setPastedNames] = useState<readonly string[]>()
  const [isFocused, setFocused] = useState(false)
  const { isTyping, onInputChange, holdEnter } = useTyping()
  const recordById = byId(data)
  const isComplete = !isPending && !failure
  const missing = (key: number) => (isComplete ? translate('app.list.dangling', { id: key }) : `#${key}`)
  const nameOf = (record: RaRecord) =>
    record === newRecord
      ? translate('app.pick.new', { entity: translate(`resources.${to}.name`, { smart_count: 1 }) })
      : recordById.has(String(record.id))
        ? referenceName(to, record)
        : missing(Number(record.id))
  // The autocomplete takes another array for another choice, and clears what is being typed.
  const chosenIds = chosen.join()
  const records = useMemo(
    () =>
      chosenIds
        .split(',')
        .filter(Boolean)
        .map((key): RaRecord => recordById.get(key) ?? { id: Number(key) }),
    [chosenIds, recordById],
  )
  const shownRecords = useMemo(() => records.slice(0, namesShownFocused), [records])
  const names = () => records.map((record) => ({ id: record.id, name: nameOf(record) }))
  const failed = failure ? translate('app.list.error', { error: translate(errorMessage(failure)) }) : undefined
  const notFound =
    unknownNames.length > 0 ? translate('app.pick.unknown', { names: unknownNames.join(', ') }) : undefined

  const chooseNamed = useEvent((names: readonly string[]) => {
    const { ids, unknown } = findNamed(names, options, nameOf)
    setUnknownNames(unknown)
    onChoose([...new Set([...chosen, ...ids])])
  })
  const paste = (event: ClipboardEvent) => {
    const names = readNames(event.clipboardData.getData('text'))
    if (!names) return
    event.preventDefault()
    setPastedNames(names)
  }
  // On a slow line names are pasted before the records are there.
  useEffect(() => {
    if (!pastedNames || !isComplete) return
    chooseNamed(pastedNames)
    setPastedNames(undefined)
  }, [pastedNames, isComplete, chooseNamed])
  const change = (ids: number[]) => {
    setUnknownNames([])
    onChoose(ids)
  }

  const isChosen = new Set(chosen)
  const pick = (reason: AutocompleteChangeReason, details?: AutocompleteChangeDetails<RaRecord>) => {
    if (!details || reason === 'clear') return change([])
    if (details.option === newRecord) return setMaking(true)
    const picked = Number(details.option.id)
    if (!multiple) return change([picked])
    change(isChosen.has(picked) ? chosen.filter((key) => key !== picked) : [...chosen, picked])
  }

  return (
    <FieldFrame id={id} label={label} help={failed ?? notFound ?? help} required={required} error={error}>
      <Autocomplete<RaRecord, boolean>
        id={id}
        size="small"
        multiple={multiple}
        disableCloseOnSelect={multiple}
        autoHighlight={isTyping}
        onInputChange={onInputChange}
        loading={isPending}
        loadingText={translate('app.list.loading')}
        noOptionsText={translate('app.list.no_results')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        options={options}
        filterOptions={(records, state) => [...matching(to, records, state), ...(NewDialog ? [newRecord] : [])]}
        getOptionLabel={nameOf}
        getOptionKey={(record) => record.id}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        // The autocomplete compares every option with every value, so it gets only the values that it shows; which
        // options are chosen comes from `isChosen`.
        value={multiple ? shownRecords : (records[0] ?? null)}
        onChange={(_event, _value, reason, details) => pick(reason, details)}
        renderOption={({ key, ...attributes }, record) =>
          ({
            key,
            attributes,
            label: nameOf(record),
            isChosen: isChosen.has(Number(record.id)),
          }) satisfies Option as never
        }
        slotProps={{ listbox: { component: OptionList } }}
        onFocus={({ target }) => setFocused(target instanceof HTMLInputElement)}
        onBlur={() => {
          setFocused(false)
          binding?.onBlur()
        }}
        // Ctrl-Enter saves the form; the open list would take it for Enter and change what is chosen. Keys in the list
        // of all names are not the input's either: Backspace would take a name away.
        onKeyDown={(event: KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
          holdEnter(event)
          const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (saves || (event.target as Element).closest('.more-names')) event.defaultMuiPrevented = true
        }}
        renderValue={
          multiple
            ? (value, getItemProps) => {
                const shown = (value as RaRecord[]).slice(0, isFocused ? namesShownFocused : namesShown)
                const more = records.length - shown.length
                return [
                  ...shown.map((record, index) => {
                    // The types know one record or several, not that it depends; the key is theirs, by place.
                    const { key: _, ...item } = getItemProps({ index }) as { key?: number }
                    return <Chip key={record.id} size="small" label={nameOf(record)} {...item} />
                  }),
                  ...(more > 0 ? [<MoreNames key="more" label={label} names={names} count={more} />] : []),
                ]
              }
            : undefined
        }
        renderInput={(params) => (
          <TextField
            {...params}
            inputRef={binding?.ref}
            onPaste={multiple ? paste : undefined}
            error={Boolean(error)}
            aria-describedby={describedBy(id)}
          />
        )}
      />
      <Suspense>
        {NewDialog && isMaking ? (
          <NewDialog
            onClose={() => setMaking(false)}
            onCreated={async ({ id }) => {
              setMaking(false)
              // With the list that has it, so that its name is there.
              await refetch()
              change(multiple ? [...chosen, Number(id)] : [Number(id)])
            }}
          />
        ) : null}
      </Suspense>
      {multiple && data.length > 0 ? <PickerTools to={to} options={options} chosen={chosen} onChoose={change} /> : null}
    </FieldFrame>
  )
}

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
function PickerTools({ to, options, chosen, onChoose }: PickerToolsProps) {
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

/** An option of an autocomplete before it is drawn: the attributes of its element, and its text. */
interface Option {
  key: Key
  attributes: HTMLAttributes<HTMLElement>
  label: string
  isChosen: boolean
}

/** Up to this many options are all drawn: a virtual list costs time of its own. */
const virtualFrom = 100
const optionHeight = 36
/** More than Page Up and Page Down move at once: the option to move to must exist. */
const overscan = 10

interface OptionListProps extends HTMLAttributes<HTMLDivElement> {
  ref?: Ref<HTMLDivElement>
  /** What `renderOption` returned: options, not elements. */
  children?: ReactNode
}

/** The open list of an autocomplete. Of thousands of options, only those in view are drawn. */
function OptionList({ ref, children, ...rest }: OptionListProps) {
  // The types of the autocomplete know only elements; it passes on whatever `renderOption` makes.
  const options = children as unknown as readonly Option[]
  return (
    // With padding, the autocomplete would scroll to the wrong place.
    <div {...rest} ref={ref} style={{ ...rest.style, padding: 0 }}>
      {options.length > virtualFrom ? (
        <OptionsInView options={options} />
      ) : (
        options.map((option) => <OptionRow key={option.key} option={option} />)
      )}
    </div>
  )
}

function OptionsInView({ options }: { options: readonly Option[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: options.length,
    getScrollElement: () => frame.current?.parentElement ?? null,
    estimateSize: () => optionHeight,
    overscan,
    rangeExtractor: withEnds,
    initialRect: { width: 0, height: 10 * optionHeight },
    useFlushSync: false,
  })
  return (
    <div ref={frame} role="presentation" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const option = options[index]
        return option ? (
          <OptionRow
            key={option.key}
            option={option}
            style={{ position: 'absolute', top: start, left: 0, right: 0 }}
            aria-setsize={options.length}
            aria-posinset={index + 1}
          />
        ) : null
      })}
    </div>
  )
}

/** Keys move from the last option to the first and back: both ends are always drawn. */
function withEnds(range: Range): number[] {
  const shown = defaultRangeExtractor(range)
  const first = Array.from({ length: overscan }, (_, index) => index)
  const last = first.map((index) => range.count - 1 - index)
  return [...new Set([...first, ...shown, ...last.reverse()])]
}

interface OptionRowProps extends HTMLAttributes<HTMLElement> {
  option: Option
}

function OptionRow({ option: { attributes, label, isChosen }, ...rest }: OptionRowProps) {
  return (
    <Row {...attributes} {...rest} aria-selected={isChosen}>
      <span title={label}>{label}</span>
    </Row>
  )
}

const Row = styled('div')({
  boxSizing: 'border-box',
  height: optionHeight,
  minHeight: '0 !important',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})

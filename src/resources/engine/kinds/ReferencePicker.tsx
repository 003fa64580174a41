import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useState } from 'react'
import { type RaRecord, useGetList, useTranslate } from 'react-admin'
import { everyRow } from '../wholeList.ts'
import { describedBy, FieldFrame } from './FieldFrame.tsx'
import type { InputProps } from './kind.ts'
import { PickerTools } from './PickerTools.tsx'
import { readPastedNames } from './pastedNames.ts'

const optionsShown = 100
/** With more, drawing the names would be the slowest part of a form. */
const namesShown = 3
const namesShownFocused = 20
const everything = {
  pagination: everyRow,
  sort: { field: 'name', order: 'ASC' as const },
}

interface ReferencePickerProps extends InputProps {
  id: string
  error?: string
  binding: { onBlur: () => void; ref: Ref<HTMLInputElement> }
  multiple?: boolean
  chosen: readonly number[]
  onChoose: (ids: number[]) => void
}

const nameOf = (record: RaRecord): string => record.name || `#${record.id}`

/** Typing keeps the list short: of thousands of records, the first hundred that match are offered. */
const filterOptions = createFilterOptions<RaRecord>({
  limit: optionsShown,
  stringify: (record) => `${nameOf(record)} #${record.id}`,
})

/** Picks records of another entity by name. An id that leads nowhere stays chosen until somebody removes it. */
export default function ReferencePicker(props: ReferencePickerProps) {
  const { field, label, help, id, error, binding, multiple = false, chosen, onChoose } = props
  const translate = useTranslate()
  const { data = [], isPending, error: failure } = useGetList(field.to ?? '', everything)
  const [unknown, setUnknown] = useState<string[]>([])
  const [isFocused, setFocused] = useState(false)
  const byId = new Map(data.map((record) => [Number(record.id), record]))
  const isComplete = !isPending && !failure
  const missing = (key: number) => (isComplete ? translate('app.list.dangling', { id: key }) : `#${key}`)
  const records = chosen.map((key): RaRecord => byId.get(key) ?? { id: key, name: missing(key) })
  const failed = failure ? translate('app.list.error', { error: translate((failure as Error).message) }) : undefined
  const notFound = unknown.length > 0 ? translate('app.pick.unknown', { names: unknown.join(', ') }) : undefined

  const paste = (event: ClipboardEvent) => {
    const pasted = readPastedNames(event.clipboardData.getData('text'), data)
    if (!pasted) return
    event.preventDefault()
    setUnknown(pasted.unknown)
    onChoose([...new Set([...chosen, ...pasted.ids])])
  }
  const change = (ids: number[]) => {
    setUnknown([])
    onChoose(ids)
  }

  return (
    <FieldFrame id={id} label={label} help={failed ?? notFound ?? help} required={field.required} error={error}>
      <Autocomplete<RaRecord, boolean>
        id={id}
        size="small"
        multiple={multiple}
        disableCloseOnSelect={multiple}
        loading={isPending}
        loadingText={translate('app.list.loading')}
        noOptionsText={translate('app.list.no_results')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        options={data}
        filterOptions={filterOptions}
        getOptionLabel={nameOf}
        getOptionKey={(record) => record.id}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        value={multiple ? records : (records[0] ?? null)}
        onChange={(_, picked) => change([picked ?? []].flat().map((record) => Number(record.id)))}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          binding.onBlur()
        }}
        // Ctrl-Enter saves the form; the open list would take it for Enter and drop what is marked in it.
        onKeyDown={(event: KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.defaultMuiPrevented = true
        }}
        renderValue={
          multiple
            ? (value, getItemProps) => {
                const all = value as RaRecord[]
                const shown = all.slice(0, isFocused ? namesShownFocused : namesShown)
                const more = all.length - shown.length
                return [
                  ...shown.map((record, index) => {
                    // The types know one record or several, not that it depends; the key is theirs, by place.
                    const { key: _, ...item } = getItemProps({ index }) as { key?: number }
                    return <Chip key={record.id} size="small" label={nameOf(record)} {...item} />
                  }),
                  ...(more > 0 ? [<span key="more">{translate('app.list.more', { count: more })}</span>] : []),
                ]
              }
            : undefined
        }
        renderInput={(params) => (
          <TextField
            {...params}
            inputRef={binding.ref}
            onPaste={multiple ? paste : undefined}
            error={Boolean(error)}
            aria-describedby={describedBy(id)}
          />
        )}
      />
      {multiple && data.length > 0 ? (
        <PickerTools to={field.to ?? ''} options={data} chosen={chosen} onChoose={change} />
      ) : null}
    </FieldFrame>
  )
}

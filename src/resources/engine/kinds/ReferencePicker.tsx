import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import type { KeyboardEvent, Ref } from 'react'
import { type RaRecord, useGetList, useTranslate } from 'react-admin'
import { describedBy, FieldFrame } from './FieldFrame.tsx'
import type { InputProps } from './kind.ts'

const optionsShown = 100
const namesShown = 3
const everything = {
  pagination: { page: 1, perPage: Number.MAX_SAFE_INTEGER },
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
  const byId = new Map(data.map((record) => [Number(record.id), record]))
  const records = chosen.map((key): RaRecord => byId.get(key) ?? { id: key })
  const failed = failure ? translate('app.list.error', { error: translate((failure as Error).message) }) : undefined
  return (
    <FieldFrame id={id} label={label} help={failed ?? help} required={field.required} error={error}>
      <Autocomplete<RaRecord, boolean>
        id={id}
        size="small"
        multiple={multiple}
        disableCloseOnSelect={multiple}
        limitTags={namesShown}
        getLimitTagsText={(count) => translate('app.list.more', { count })}
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
        onChange={(_, picked) => onChoose([picked ?? []].flat().map((record) => Number(record.id)))}
        onBlur={binding.onBlur}
        // Ctrl-Enter saves the form; the open list would take it for Enter and drop what is marked in it.
        onKeyDown={(event: KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.defaultMuiPrevented = true
        }}
        renderInput={(params) => (
          <TextField {...params} inputRef={binding.ref} error={Boolean(error)} aria-describedby={describedBy(id)} />
        )}
      />
    </FieldFrame>
  )
}

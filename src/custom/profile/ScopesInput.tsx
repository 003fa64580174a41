import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { use } from 'react'
import { useTranslate } from 'react-admin'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { useTyping } from '../../engine/kinds/parts/useTyping.ts'
import { adminScopes, contractScopes } from '../../schemas/define/tokenScopes.ts'
import { tokenScopes } from '../../schemas/grantableScopes.ts'

/** The scopes of a token that members can grant. */
export const ScopesInput = (props: InputProps) => <Scopes {...props} offered={useServerScopes()} />

/** The scopes of a token that administrators can grant. */
export const AdminScopesInput = (props: InputProps) => (
  <Scopes {...props} offered={[...useServerScopes(), ...adminScopes]} />
)

/** Servers that announce nothing know the scopes of the contract only. */
const useServerScopes = () => ((use(AnnouncedFeaturesContext)?.size ?? 0) > 0 ? tokenScopes : contractScopes)

function Scopes({ field: description, label, help, offered }: InputProps & { offered: readonly string[] }) {
  const translate = useTranslate()
  const { id, field, error } = useField<string[]>(description)
  const { isTyping, onInputChange, holdEnter } = useTyping()
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <Autocomplete
        id={id}
        size="small"
        multiple
        disableCloseOnSelect
        autoHighlight={isTyping}
        onInputChange={onInputChange}
        onKeyDown={holdEnter}
        options={offered}
        value={field.value}
        noOptionsText={translate('app.list.no_results')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        onChange={(_, scopes) => field.onChange(scopes)}
        onBlur={field.onBlur}
        renderInput={(params) => (
          <TextField {...params} inputRef={field.ref} error={Boolean(error)} aria-describedby={describedBy(id)} />
        )}
      />
    </FieldFrame>
  )
}

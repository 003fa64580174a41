import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { FormProvider } from 'react-hook-form'
import type { Values } from '../../../schemas/define/values.ts'
import type { ServerConfigKey } from '../../../schemas/machines/serverConfig.ts'
import { ConfigFields } from './ConfigFields.tsx'
import type { ConfigChanges } from './configText.ts'
import { useConfigForm } from './useConfigForm.ts'

/** The settings to change and their new values; kept while the person goes back and forth between the steps. */
export interface BulkChoice {
  ticked: ServerConfigKey[]
  values: Values
}

interface BulkConfigFormProps {
  choice: BulkChoice
  onCompare: (choice: BulkChoice, changes: ConfigChanges) => void
  onCancel: () => void
}

/** The form for the settings to change. Only ticked settings are changed. */
export function BulkConfigForm({ choice, onCompare, onCancel }: BulkConfigFormProps) {
  const translate = useTranslate()
  const [ticked, setTicked] = useState(choice.ticked)
  const [isEmpty, setEmpty] = useState(false)
  const { form, values } = useConfigForm(choice.values, ticked)
  const compare = (changes: ConfigChanges) => {
    setEmpty(ticked.length === 0)
    if (ticked.length > 0) onCompare({ ticked, values }, changes)
  }
  return (
    <FormProvider {...form}>
      <form noValidate style={{ display: 'contents' }} onSubmit={form.handleSubmit(compare)}>
        <DialogContent dividers>
          <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
            {translate('app.server_config.bulk_hint')}
          </Typography>
          <ConfigFields
            ticked={ticked}
            onTick={(key, on) => {
              setEmpty(false)
              setTicked(on ? [...ticked, key] : ticked.filter((other) => other !== key))
            }}
          />
          {isEmpty ? <Alert severity="error">{translate('app.server_config.nothing_ticked')}</Alert> : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.server_config.compare')}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  )
}

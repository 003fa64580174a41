import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useDataProvider, useEvent, useTranslate } from 'react-admin'
import { FormProvider } from 'react-hook-form'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { DiscardDialog } from '../../../engine/form/DiscardDialog.tsx'
import { valuesOf } from '../../../engine/form/validate.ts'
import { ActionDialog, useToast } from '../../../engine/parts/ActionDialog.tsx'
import type { Values } from '../../../schemas/define/values.ts'
import { serverConfig } from '../../../schemas/machines/serverConfig.ts'
import { ConfigFields, ConfigWarnings, useConfigForm } from './ConfigFields.tsx'
import { changeConfig, hasAgent, readConfig, riskyChanges } from './configRequests.ts'

/** The settings of one server's agent. If they cannot be read, the dialog reports why and closes. */
export default function ConfigDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const id = Number(records[0]?.id)
  const [config, setConfig] = useState<Values>()
  const isDirty = useRef(false)
  const [isDiscardOpen, setDiscardOpen] = useState(false)
  const fail = useEvent((error: unknown) => {
    toast.showError(error)
    onClose()
  })

  // Once: an agent that is about to use new settings answers with that, and what somebody types must stay.
  const read = useEvent(() => readConfig(call, id))

  useEffect(() => {
    let isOpen = true
    read().then(
      (value) => isOpen && setConfig(value),
      (error) => isOpen && fail(error),
    )
    return () => {
      isOpen = false
    }
  }, [read, fail])

  const close = () => (isDirty.current ? setDiscardOpen(true) : onClose())
  return (
    <ActionDialog title={translate('app.server_config.title', { what: texts.what(records) })} onClose={close}>
      {config ? (
        <ConfigForm
          id={id}
          config={config}
          what={texts.what(records)}
          onCancel={close}
          onDone={onClose}
          isDirty={isDirty}
        />
      ) : (
        <DialogContent aria-busy>
          <CircularProgress />
        </DialogContent>
      )}
      {isDiscardOpen ? <DiscardDialog onDiscard={onClose} onKeep={() => setDiscardOpen(false)} /> : null}
    </ActionDialog>
  )
}

interface ConfigFormProps {
  id: number
  config: Values
  /** The server's name, for messages. */
  what: string
  onCancel: () => void
  onDone: () => void
  /** Whether closing would lose changes. */
  isDirty: RefObject<boolean>
}

function ConfigForm({ id, config, what, onCancel, onDone, isDirty }: ConfigFormProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const { form, changes } = useConfigForm(valuesOf(serverConfig, config))
  const [isSending, setSending] = useState(false)
  useEffect(() => {
    isDirty.current = Object.keys(changes).length > 0
  })

  const send = async (changed: Values) => {
    setSending(true)
    try {
      const outcome = await changeConfig(call, id, changed)
      if (outcome.state === 'offline') throw new Error('app.server_config.not_connected')
      if (outcome.state === 'failed') throw new Error(outcome.reason)
      if (outcome.state !== 'unchanged') toast.show({ key: `app.server_config.${outcome.state}`, args: { what } })
      onDone()
    } catch (error) {
      toast.showError(error)
      setSending(false)
    }
  }

  return (
    <FormProvider {...form}>
      <form noValidate style={{ display: 'contents' }} onSubmit={form.handleSubmit(send)}>
        <DialogContent dividers>
          {hasAgent(config) ? (
            <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
              {translate('app.server_config.meaning')}
            </Typography>
          ) : null}
          <ConfigFields />
          {hasAgent(config) ? <ConfigWarnings keys={riskyChanges(changes)} /> : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isSending}>
            {translate('app.action.save')}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  )
}

import Button from '@mui/material/Button'
import { Suspense, use, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import KeyValueInput from '../../components/inputs/KeyValueInput.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { FlagInput } from '../../engine/kinds/FlagInput.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { TextInput } from '../../engine/kinds/TextInput.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { noticePlaceholders, webhookPlaceholders } from '../../schemas/formats/placeholders.ts'
import { PlaceholderMenu } from './PlaceholderMenu.tsx'

const formRequestType = 2

const NotifierPreviewDialog = lazyPart(() => import('./NotifierPreviewDialog.tsx'))
const PresetDialog = lazyPart(() => import('./PresetDialog.tsx'))

/** A notifier's URL, with a menu of placeholders, and a dialog that fills in the whole request for a service. */
export function NotifierUrlInput(props: InputProps) {
  const translate = useTranslate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {translate('app.notifier_dialogs.choose_service')}
      </Button>
      <PlaceholderMenu label={props.label} placeholders={noticePlaceholders}>
        <TextInput {...props} inputMode="url" />
      </PlaceholderMenu>
      <Suspense>{isOpen ? <PresetDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

/** A notifier's request body: free text, or key-value pairs if it is sent as a form. */
export function NotifierBodyInput(props: InputProps) {
  const type: number = useWatch({ name: 'request_type' })
  return (
    <PlaceholderMenu label={props.label} placeholders={noticePlaceholders}>
      {type === formRequestType ? <KeyValueInput {...props} /> : <TextInput {...props} lines={4} mono />}
    </PlaceholderMenu>
  )
}

/** The URL (required) or the request body of a DDNS webhook. */
export function WebhookTextInput(props: InputProps) {
  const isBody = props.field.kind === 'multiline'
  return (
    <PlaceholderMenu label={props.label} placeholders={webhookPlaceholders}>
      {isBody ? (
        <TextInput {...props} lines={3} mono />
      ) : (
        <TextInput {...props} field={{ ...props.field, required: true }} inputMode="url" />
      )}
    </PlaceholderMenu>
  )
}

/** Whether saving a notifier sends a test message; and the message as it would go out, where the server shows it. */
export function NotifierTestInput(props: InputProps) {
  const translate = useTranslate()
  const announced = use(AnnouncedFeaturesContext)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FlagInput {...props} />
      {announced?.has('notifier_preview') ? (
        <div>
          <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {translate('app.notifier_dialogs.preview')}
          </Button>
        </div>
      ) : null}
      <Suspense>{isOpen ? <NotifierPreviewDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

import DataObjectIcon from '@mui/icons-material/DataObject'
import Button from '@mui/material/Button'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Stack from '@mui/material/Stack'
import { type ReactNode, Suspense, use, useRef, useState } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { CopyButton } from '../../components/CopyButton.tsx'
import KeyValueInput from '../../components/inputs/KeyValueInput.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { FlagInput, SecretInput, TextInput } from '../../engine/kinds/basicInputs.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { noticePlaceholders, webhookPlaceholders } from '../../schemas/formats/placeholders.ts'
import { newSigningSecret } from '../../schemas/webhooks/signingSecret.ts'

const formRequestType = 2

const NotifierPreviewDialog = lazyPart(async () => ({
  default: (await import('./notifierDialogs.tsx')).NotifierPreviewDialog,
}))
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

interface PlaceholderMenuProps {
  /** The field's label, for the button's name. */
  label: string
  /** Names without `#`, in groups with the headings `app.form.placeholders_<group>`. */
  placeholders: Readonly<Record<string, readonly string[]>>
  children: ReactNode
}

type Box = HTMLInputElement | HTMLTextAreaElement

/** Wraps an input with a menu of placeholders; the chosen one is inserted at the last cursor position. */
function PlaceholderMenu({ label, placeholders, children }: PlaceholderMenuProps) {
  const translate = useTranslate()
  const frame = useRef<HTMLDivElement>(null)
  const last = useRef<Box>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  const insert = (name: string) => {
    setAnchor(null)
    const lastFocused = last.current?.isConnected ? last.current : null
    const box = lastFocused ?? frame.current?.querySelector<Box>('textarea:not([aria-hidden]), input')
    if (box) insertText(box, `#${name}#`)
  }

  return (
    <div
      ref={frame}
      onFocusCapture={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) last.current = target
      }}
    >
      {children}
      <Button
        size="small"
        startIcon={<DataObjectIcon fontSize="small" />}
        aria-haspopup="menu"
        aria-label={translate('app.form.insert_placeholder_into', { field: label })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.form.insert_placeholder')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { dense: true } }}
      >
        {Object.entries(placeholders).flatMap(([group, names]) => [
          <ListSubheader key={group}>{translate(`app.form.placeholders_${group}`)}</ListSubheader>,
          ...names.map((name) => (
            <MenuItem key={name} onClick={() => insert(name)} sx={{ fontFamily: 'monospace' }}>
              {`#${name}#`}
            </MenuItem>
          )),
        ])}
      </Menu>
    </div>
  )
}

/** Inserts a text at the cursor in a way that React notices, and puts the cursor behind it. */
function insertText(box: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const start = box.selectionStart ?? box.value.length
  const end = box.selectionEnd ?? start
  const value = box.value.slice(0, start) + text + box.value.slice(end)
  // React overrides the element's own `value` property: only the prototype's setter makes it see a change.
  const prototype = Object.getPrototypeOf(box) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(box, value)
  box.dispatchEvent(new Event('input', { bubbles: true }))
  box.focus()
  box.setSelectionRange(start + text.length, start + text.length)
}

/** The secret of a notifier's signatures, which can be made here and copied for the receiver before it is saved. */
export function SigningSecretInput(props: InputProps) {
  const translate = useTranslate()
  const { setValue } = useFormContext()
  const isStored = useRecordContext() !== undefined
  const secret: string | undefined = useWatch({ name: props.field.name })
  return (
    <div>
      <SecretInput {...props} field={{ ...props.field, required: !isStored }} />
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', marginTop: 1 }}>
        <Button
          variant="outlined"
          size="small"
          onClick={() =>
            setValue(props.field.name, newSigningSecret(), {
              shouldDirty: true,
              shouldTouch: true,
              shouldValidate: true,
            })
          }
        >
          {translate('resources.notification.values.generate_secret')}
        </Button>
        {secret ? <CopyButton text={secret} label={translate('resources.notification.values.copy_secret')} /> : null}
      </Stack>
    </div>
  )
}

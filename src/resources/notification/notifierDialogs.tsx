import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { type RaRecord, useDataProvider, useGetList, useRecordContext, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ChoiceField } from '../../components/inputs/plainFields.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { useScreen } from '../../engine/define/screen.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import { everyRowByName } from '../../records/queryRows.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { notifierPreviewEndpoints, previewEvents } from '../../schemas/endpoints/notifierPreviewEndpoints.ts'

/** Sends a test message through a stored notifier, and shows what the receiver answered. */
export function NotifierTestDialog({ records: [record], onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const send = useSendTest()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['notification', 'test', record?.id],
    queryFn: () => send(record as RaRecord),
    ...onDemandQuery,
  })
  const reply = data ? [data.code || '', data.reply].filter(Boolean).join(' ') : error?.message
  const isSent = data?.sent === true
  return (
    <ActionDialog
      title={translate('app.notifier_dialogs.test_title', { what: texts.what(record ? [record] : []) })}
      onClose={onClose}
    >
      <DialogContent dividers aria-busy={isFetching}>
        {isFetching ? (
          <p role="status" style={{ display: 'flex', gap: 12, alignItems: 'center', margin: 0 }}>
            <CircularProgress size={20} aria-hidden />
            {translate('app.notifier_dialogs.sending')}
          </p>
        ) : (
          <Alert severity={isSent ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
            {translate(`app.notifier_dialogs.${isSent ? 'sent' : 'failed'}`)}
            {reply ? (
              <pre style={{ margin: '8px 0 0', whiteSpace: 'pre-wrap', font: 'inherit' }}>{translate(reply)}</pre>
            ) : null}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button variant="contained" loading={isFetching} onClick={() => void refetch()}>
          {translate('app.notifier_dialogs.again')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/**
 * How this server sends a test message. Nezha servers have no call for it: they send one when a notifier is saved, so it
 * is saved as it is.
 */
export function useSendTest() {
  const { call, update } = useDataProvider<ConsoleDataProvider>()
  const announced = use(AnnouncedFeaturesContext)
  return async (record: RaRecord): Promise<{ sent: boolean; code: number; reply: string }> => {
    if (announced?.has('notifiers')) return call(endpoints.testNotifier, { id: Number(record.id) })
    await update('notification', { id: record.id, data: { skip_check: false }, previousData: record })
    return { sent: true, code: 0, reply: '' }
  }
}

/** Options of a query that is sent when its dialog opens and when somebody asks again, and never in the background. */
export const onDemandQuery = {
  gcTime: 0,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** The address of a notifier for its owner; lists hide it. */
export function NotifierUrlDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(records[0]?.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['notification', 'url', id],
    queryFn: () => call(endpoints.revealNotifier, { id }),
    ...onDemandQuery,
  })
  return (
    <ActionDialog title={translate('app.notifier_dialogs.url_title', { what: texts.what(records) })} onClose={onClose}>
      <DialogContent dividers aria-busy={!data && !error}>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? (
          <>
            <p style={{ margin: 0, display: 'flex', gap: 8, alignItems: 'center' }}>
              <code style={{ overflowWrap: 'anywhere', userSelect: 'all' }}>{data.url}</code>
              <CopyButton text={data.url} label={translate('app.notifier_dialogs.copy_url')} />
            </p>
            <p style={{ margin: '12px 0 0' }}>{translate('app.notifier_dialogs.url_hint')}</p>
          </>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** The message of a notifier as its form has it, for a server and an event; nothing is sent. */
export function NotifierPreviewDialog({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const record = useRecordContext()
  const { getValues } = useFormContext()
  const [event, setEvent] = useState<(typeof previewEvents)[number]>('incident')
  const [chosen, setChosen] = useState<number>()
  const { data: servers, isPending } = useGetList('server', everyRowByName)
  const server = chosen ?? (servers?.[0] && Number(servers[0].id))
  const { data, error, isFetching } = useQuery({
    queryKey: ['notification', 'preview', record?.id, event, server],
    queryFn: () => {
      const { url, request_method, request_type, request_header, request_body, ...options } = getValues()
      const { verify_tls, format_metric_units, send_events } = options
      return call(notifierPreviewEndpoints.previewNotifier, {
        ...(record?.id !== undefined && { id: Number(record.id) }),
        ...(server !== undefined && { server_id: server }),
        url: url ?? '',
        request_method,
        request_type,
        verify_tls,
        format_metric_units,
        send_events,
        request_header: request_header ?? '',
        request_body: request_body ?? '',
        event,
        rule: translate('app.notifier_dialogs.preview_rule'),
      })
    },
    enabled: !isPending,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return (
    <ActionDialog title={translate('app.notifier_dialogs.preview_title')} width={720} onClose={onClose}>
      <DialogContent dividers aria-busy={isFetching}>
        <Choices>
          <ChoiceField
            label={translate('app.notifier_dialogs.preview_event')}
            value={event}
            choices={previewEvents}
            textOf={(one) => translate(`app.notifier_dialogs.preview_${one}`)}
            onChange={(one) => setEvent(one as (typeof previewEvents)[number])}
          />
          {event === 'test' ? null : (
            <LazyReferencePicker
              to="server"
              required
              label={translate('app.notifier_dialogs.preview_server')}
              chosen={server === undefined ? [] : [server]}
              onChoose={([id]) => setChosen(id)}
            />
          )}
        </Choices>
        {error ? <Alert severity="error">{translate(error.message || 'app.toast.unexpected')}</Alert> : null}
        {data && !error ? (
          <>
            <Message aria-label={translate('app.notifier_dialogs.preview_message')}>
              <b>{data.method}</b> {data.url}
              {'\n'}
              {data.headers.map(({ name, value }) => `${name}: ${value}\n`).join('')}
              {data.body === undefined ? null : `\n${data.body}`}
            </Message>
            <p>{translate('app.notifier_dialogs.preview_hint')}</p>
          </>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

const Choices = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  gridTemplateColumns: 'repeat(auto-fit, minmax(220px, 1fr))',
  alignItems: 'start',
  marginBottom: theme.spacing(2),
}))

const Message = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontSize: 13,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
}))

import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useGetList, useRecordContext, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { ChoiceField } from '../../components/inputs/plainFields.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import { everyRowByName } from '../../records/wholeList.ts'
import { notifierPreviewEndpoints, previewEvents } from '../../schemas/endpoints/notifierPreviewEndpoints.ts'

/** The message of a notifier as its form has it, for a server and an event; nothing is sent. */
export default function NotifierPreviewDialog({ onClose }: { onClose: () => void }) {
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

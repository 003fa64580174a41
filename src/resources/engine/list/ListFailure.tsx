import { useListContext, useTranslate } from 'react-admin'
import { RetryAlert } from '../parts/RetryAlert.tsx'

/** In place of rows: what the server said. An empty table would be a lie. */
export function ListFailure() {
  const { error, refetch } = useListContext()
  const translate = useTranslate()
  const words = translate((error as Error | null)?.message || 'app.toast.unexpected')
  return <RetryAlert onRetry={refetch}>{translate('app.list.error', { error: words })}</RetryAlert>
}

import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'

interface EmptyFolderProps {
  /** What is typed to narrow the list. */
  filter: string
  /** Whether there is something that is not shown. */
  hasHidden: boolean
  onClearFilter: () => void
  onShowHidden: () => void
}

/** Why no entries are there, and the way to some. */
export function EmptyFolder({ filter, hasHidden, onClearFilter, onShowHidden }: EmptyFolderProps) {
  const translate = useTranslate()
  if (filter) {
    return (
      <>
        <div role="status">{translate('app.files.nothing_found', { text: filter })}</div>
        <Button onClick={onClearFilter}>{translate('app.list.clear_filters')}</Button>
      </>
    )
  }
  if (!hasHidden) return <div role="status">{translate('app.files.empty')}</div>
  return (
    <>
      <div role="status">{translate('app.files.only_hidden')}</div>
      <Button onClick={onShowHidden}>{translate('app.files.show_hidden')}</Button>
    </>
  )
}

import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslate } from 'react-admin'

/** The first rows of a list; all of them after `showAll`. */
export function useFirstRows<Row>(rows: readonly Row[], count: number) {
  const [isAllShown, setAllShown] = useState(false)
  const shown = isAllShown ? rows : rows.slice(0, count)
  return { shown, hidden: rows.length - shown.length, showAll: () => setAllShown(true) }
}

/** Says how many rows are not shown, and shows them; absent when there are none. */
export function ShowAllButton({ hidden, showAll }: Pick<ReturnType<typeof useFirstRows>, 'hidden' | 'showAll'>) {
  const translate = useTranslate()
  if (hidden === 0) return null
  return (
    <Button size="small" onClick={showAll}>
      {translate('app.list.more', { count: hidden })}
    </Button>
  )
}

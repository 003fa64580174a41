import { useEffect } from 'react'
import { LinkBase, useBasename, useGetList, useLocation, useTranslate } from 'react-admin'
import type { FormState } from '../../../engine/define/screen.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { everyRowByName } from '../../../records/wholeList.ts'
import { allows } from '../../../schemas/define/access.ts'
import { notification } from '../../../schemas/notification.ts'
import { notificationSetup } from '../../notification/setup/notificationSetup.ts'
import TroubleTimeline from './TroubleTimeline.tsx'
import { useUntold } from './useStripHeight.ts'

/** Below the lines of trouble: that nobody is told of it, where that is so, and what was wrong in the last 24 hours. */
export default function TroubleFoot() {
  const { identity } = useIdentity()
  return (
    <>
      {allows(identity?.role, notification.access.create) ? <NobodyTold /> : null}
      <TroubleTimeline />
    </>
  )
}

/** While there is no notifier, a link to the guide that makes one. Its place is kept until that is known. */
function NobodyTold() {
  const translate = useTranslate()
  const basename = useBasename()
  const { pathname, search } = useLocation()
  const { total, isPending } = useGetList(notification.name, everyRowByName)
  const [wasUntold, keep] = useUntold()
  useEffect(() => {
    if (total !== undefined) keep(total === 0)
  }, [total, keep])
  // A list that cannot be read says nothing about it.
  if (isPending ? !wasUntold : total !== 0) return null
  return (
    <span style={{ visibility: isPending ? 'hidden' : undefined }}>
      {translate('app.notification_setup.nobody')}{' '}
      <LinkBase
        to={`${basename}/${notificationSetup.path}`}
        state={{ openedFrom: `${pathname}${search}` } satisfies FormState}
      >
        {translate(notificationSetup.labelKey)}
      </LinkBase>
    </span>
  )
}

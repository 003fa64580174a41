import { lazyPart } from '../engine/parts/lazyPart.tsx'

const notifierInputs = () => import('./notification/notifierInputs.tsx')

/** The inputs that definitions use, each loaded with the first form that needs it: lists do not need them. */
export const CronInput = lazyPart(() => import('./cron/CronInput.tsx'))
export const NotifierBodyInput = lazyPart(async () => ({ default: (await notifierInputs()).NotifierBodyInput }))
export const NotifierUrlInput = lazyPart(async () => ({ default: (await notifierInputs()).NotifierUrlInput }))
export const NotifierTestInput = lazyPart(() => import('./notification/NotifierTestInput.tsx'))
export const DdnsProviderInput = lazyPart(async () => ({
  default: (await import('./ddns/DdnsProviderInput.tsx')).DdnsProviderInput,
}))
export const PublicNoteInput = lazyPart(async () => ({
  default: (await import('./server/publicNote/PublicNoteInput.tsx')).PublicNoteInput,
}))
export const AlertRulesInput = lazyPart(() => import('./alert-rule/AlertRulesInput.tsx'))
export const ServiceTargetInput = lazyPart(() => import('./service/ServiceTargetInput.tsx'))
export const KeyValueInput = lazyPart(async () => ({
  default: (await import('../components/inputs/KeyValueInput.tsx')).KeyValueInput,
}))
export const WebhookTextInput = lazyPart(async () => ({ default: (await notifierInputs()).WebhookTextInput }))
export const LocalTimeInput = lazyPart(() => import('./maintenance-window/LocalTimeInput.tsx'))
export const TimeZoneInput = lazyPart(() => import('./maintenance-window/TimeZoneInput.tsx'))
export const EventsInput = lazyPart(() => import('./notification-group/EventsInput.tsx'))
export const SigningSecretInput = lazyPart(() => import('./notification/SigningSecretInput.tsx'))

/** The guide from no notifier to the first message, for links that lead there. */
export const notificationSetup = { path: 'notification-setup', labelKey: 'app.notification_setup.title' } as const

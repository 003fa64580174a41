/** Texts of the list of own sessions in the profile. */
export const ownSessions = {
  own_sessions: {
    title: 'Where you are signed in',
    hint: 'Each place where this account is signed in now. End one that you do not know, then change your password.',
    end_others: 'End all others',
    others_ended: 'All other sessions have ended.',
    ended: 'The session has ended.',
    end: 'End session',
    end_named: 'End session: %{device} %{address}',
    current: 'This session',
    since: 'since',
    unknown_device: 'Unknown device',
  },
}

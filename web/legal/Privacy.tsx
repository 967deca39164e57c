import { LegalPage } from './LegalPage.tsx';

export function Privacy() {
  return (
    <LegalPage title="Privacy Policy">
      {({ brand, age, contact }) => (
        <>
          <p>
            This policy says what {brand} knows about you, what it is used for, and what you can do
            about it. “We” are the people who run this installation of {brand}.
          </p>

          <h2>Information Collection and Use</h2>
          <p>
            To open your account we ask for an email address, a date of birth and a username. If you
            choose a password, we keep only a scrambled form of it from which it cannot be read
            back. If you sign in with Google or another provider, we keep the identifier and the
            email address that the provider gives us.
          </p>
          <p>
            Your avatar colour and jersey number, your team, and whether league mode is on are kept
            with your profile. Each game you play at a machine is stored with its score, its time
            and the machine it was played on. Your code holds a random number and nothing else: a
            machine that reads it learns your username, jersey and team, never your email address or
            date of birth.
          </p>
          <p>
            We use this information to sign you in, to show your games and statistics, to run the
            weekly league, to send the messages you ask for, such as codes and password links, and
            to keep the service safe. Team members, opponents and other players can see your
            username, your jersey and your scores. They cannot see your email address, your date of
            birth or your code. We do not sell your information.
          </p>
          <p>
            If you turn on notifications, we keep an address that your browser has at its maker’s
            push service, with its language and time zone. That service (of Google, Apple, Mozilla
            or Microsoft) learns that and when we send you something, but not what: the content is
            encrypted for your browser. Turning notifications off or signing out deletes the
            address; after turning them off we keep only a hash of it, for 400 days, so that they
            stay off. A device that was not seen for 60 days is deleted as well, and a notification
            after 7 days. In a duel, the other player sees your best score of those days. We keep a
            duel for 400 days after it ends, and the count of those you won, lost and drew as long
            as your account. An offer that comes to nothing is deleted after 30 days. A nudge is
            kept for 60 days, and your teammate may see your name with it.
          </p>
          <p>
            Our servers note technical details of requests, such as the network address, the kind of
            browser and the time, to find faults and stop abuse. Accounts that are never confirmed
            or never finished are removed after a while. You may ask us for a copy of your
            information, to correct it, or to delete your account.
          </p>

          <h2>Cookies</h2>
          <p>
            We set two cookies: one proves that requests come from our own pages, the other knows
            this browser again after you have signed in, so that nobody else’s wrong passwords keep
            you out. Your browser’s storage holds what keeps you signed in and a copy of your
            profile, so that your code can be shown when the signal is bad; signing out removes
            both. We use no advertising or tracking cookies. You can tell your browser to refuse
            cookies and storage, but then you cannot stay signed in.
          </p>

          <h2>Service Providers</h2>
          <p>
            Other companies may work for us, for example to host the service or to deliver email.
            They receive only what their task needs and may use it for nothing else. If you choose
            to sign in with Google or another provider, that provider learns that you did, under its
            own privacy policy.
          </p>

          <h2>Security</h2>
          <p>
            We protect your information in transit and in storage and give access only to those who
            need it. Still, no way of sending or keeping information is perfectly secure. Choose a
            password that you use nowhere else, and tell us if you think that somebody else has used
            your account.
          </p>

          <h2>Children’s Privacy</h2>
          <p>
            {brand} is not for anyone under the age of {age}. We do not knowingly collect personal
            information from children under {age}. If you are a parent or guardian and believe that
            your child has given us information, write to us and we will delete it.
          </p>

          <h2>Changes to This Privacy Policy</h2>
          <p>
            We may update this policy. The new text takes effect when it is posted on this page,
            with a new date at the top. Please look here from time to time.
          </p>

          <h2>Contact Us</h2>
          <p>If you have questions about this policy or your information, {contact}.</p>
        </>
      )}
    </LegalPage>
  );
}

import { LegalPage } from './LegalPage.tsx';

export function Terms() {
  return (
    <LegalPage title="Terms and Conditions">
      {({ brand, age, contact }) => (
        <>
          <p>
            These terms are an agreement between you and the people who run this installation of{' '}
            {brand}. Please read them before you use it.
          </p>

          <h2>Accounts and Membership</h2>
          <p>
            You must be at least {age} years old to have an account. You are responsible for what
            happens under your account, for the information you give us being true, and for keeping
            your password and your code to yourself. Tell us at once if somebody else has used your
            account.
          </p>
          <p>
            An account is for one person. Choose a username that offends nobody and does not pretend
            to be somebody else. Scores must come from games that you played yourself: games that
            cannot be real may be held back or taken out of the tables, together with anything won
            by them.
          </p>
          <p>
            We may suspend or close accounts that break these terms, harm other players or put the
            service at risk. You may stop using your account at any time and ask us to delete it.
            When an account is gone, its games stay in the results of its team without your name.
          </p>
          <p>
            We work to keep {brand} running and its figures right, but we cannot promise that it is
            always available or free of faults. A machine’s own rules, prices and opening hours are
            those of the venue.
          </p>

          <h2>Links to Other Websites</h2>
          <p>
            {brand} may link to websites that we do not run, such as the sign-in page of another
            company. A link does not mean that we recommend a site or answer for what is on it.
            Please read the terms and the privacy policy of each site that you visit.
          </p>

          <h2>Changes to These Terms</h2>
          <p>
            We may change these terms or the service. New terms take effect when they are posted on
            this page, with a new date at the top. By using {brand} after that you agree to them; if
            you do not, please stop using it.
          </p>

          <h2>Acceptance of These Terms</h2>
          <p>
            By ticking the box at sign-up, or by using {brand}, you say that you have read these
            terms and agree to them. If you do not agree, you may not use the service.
          </p>

          <h2>Contact Us</h2>
          <p>If you have questions about these terms, {contact}.</p>
        </>
      )}
    </LegalPage>
  );
}

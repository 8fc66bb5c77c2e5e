//! The parts of a browser that signing in requires: cookies and the token in a form.

use std::fmt::Write as _;

use crate::{
    error::{Error, Result},
    http::{Connection, Message, local},
};

/// A signed-in user.
#[derive(Debug)]
pub(crate) struct Browser {
    port: u16,
    cookie: String,
}

impl Browser {
    /// Joins with an invitation, a login and a password.
    pub(crate) async fn join(port: u16, path: &str) -> Result<Self> {
        let mut connection = Connection::open(port).await?;
        let mut browser = Self {
            port,
            cookie: String::new(),
        };
        connection.send(&browser.get(path)).await?;
        let page = connection.receive().await?.ok_or_else(unexpected)?;
        browser.cookie = cookie(&page)?;
        let text = String::from_utf8_lossy(page.body).into_owned();
        let token = between(&text, "name=\"csrf\" value=\"", "\"")?;
        let password = "a quiet long password".replace(' ', "+");
        let form = format!("csrf={token}&login=bench&password={password}&again={password}");
        connection.send(&browser.post(path, &form)).await?;
        let joined = connection.receive().await?.ok_or_else(unexpected)?;
        browser.cookie = cookie(&joined)?;
        Ok(browser)
    }

    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        format!("{}\r\n", self.head("GET", path)).into_bytes()
    }

    fn post(&self, path: &str, form: &str) -> Vec<u8> {
        let mut request = self.head("POST", path);
        let host = local(self.port);
        // Writing to a string cannot fail.
        let _ = write!(
            request,
            "origin: http://{host}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
             content-length: {}\r\n\r\n{form}",
            form.len()
        );
        request.into_bytes()
    }

    fn head(&self, method: &str, path: &str) -> String {
        let (host, cookie) = (local(self.port), &self.cookie);
        format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n")
    }

    /// The target of the first link on this page that leads below its path.
    pub(crate) async fn first_link(&self, connection: &mut Connection, page: &str) -> Result<String> {
        let body = connection.expect(200, &self.get(page)).await?;
        let text = String::from_utf8_lossy(body).into_owned();
        let start = format!("href=\"{page}/");
        Ok(format!("{page}/{}", between(&text, &start, "\"")?))
    }
}

/// The first cookie of an answer.
fn cookie(answer: &Message<'_>) -> Result<String> {
    let set = answer.header("set-cookie").ok_or_else(unexpected)?;
    Ok(set.split(';').next().unwrap_or_default().to_owned())
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Result<&'a str> {
    let (_, rest) = text.split_once(start).ok_or_else(unexpected)?;
    let (found, _) = rest.split_once(end).ok_or_else(unexpected)?;
    Ok(found)
}

fn unexpected() -> Error {
    Error::Unexpected("unexpected answer of the account area".to_owned())
}

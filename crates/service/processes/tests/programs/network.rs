//! Programs that do not listen at their port themselves: those without a network, and those with a socket.

use std::{net::TcpListener, os::unix::fs::PermissionsExt as _, time::Duration};

use atelier_processes::{Network, check_isolation, scheduler::Residence};

use crate::{
    fixture::{MIB, Test, is_running, kill, pid_file, toy as a_toy, until},
    toy,
};

/// Linux only, and not where namespaces are forbidden.
pub(crate) async fn a_program_without_a_network_reaches_nothing_and_still_serves() {
    if let Err(why) = check_isolation(&std::env::current_exe().unwrap()) {
        assert!(std::env::var_os("CI").is_none(), "cannot be tested here: {why}");
        println!("not tested: {why}");
        return;
    }
    let outside = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let reach = format!("reach {}", outside.local_addr().unwrap().port());
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        let mut isolated = a_toy("isolated", &["pids", &pids, "child", "yes"]);
        isolated.network = Network::None;
        isolated.needs.memory = vec![(0, MIB)];
        let mut open = a_toy("open", &[]);
        open.needs.memory = vec![(0, MIB)];
        vec![isolated, open]
    });
    let ticket = test.program("open").admit(true).await.unwrap();
    assert_eq!(
        toy::ask(ticket.port(), &reach).unwrap(),
        "true",
        "the test can fail"
    );
    ticket.made();
    let ticket = test.program("isolated").admit(true).await.unwrap();
    assert_eq!(toy::ask(ticket.port(), &reach).unwrap(), "false");
    assert_eq!(toy::ask(ticket.port(), "networks").unwrap(), "lo");
    // Its guard still ends everything.
    let pids = test.pids();
    assert!(pids.len() == 2 && pids.iter().all(|pid| is_running(*pid)));
    ticket.made();
    test.programs.close().await;
    until("all of it is gone", || !pids.iter().any(|pid| is_running(*pid))).await;
}

pub(crate) async fn a_program_that_listens_at_a_socket_serves() {
    let test = Test::new(|_| {
        let mut toy = a_toy("a", &["socket", "{socket}"]);
        toy.needs.idle = Some(Duration::from_millis(100));
        vec![toy]
    });
    for _ in 0..2 {
        let ticket = test.program("a").admit(true).await.unwrap();
        let pid = toy::ask(ticket.port(), "pid").unwrap();
        let folder = std::fs::metadata(test.folder.path().join("sockets")).unwrap();
        let mode = folder.permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "only this user can enter");
        ticket.made();
        kill(pid.parse().unwrap());
        until("it is gone", || {
            test.program("a").state().residence == Residence::Absent
        })
        .await;
        assert!(!test.folder.path().join("sockets/a.sock").exists());
    }
    test.programs.close().await;
}
